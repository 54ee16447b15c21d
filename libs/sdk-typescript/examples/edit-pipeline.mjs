// From a prompt to a finished series: draw, choose, edit the choice in several ways, and keep the receipts.
//   KINORA_BASE_URL=… KINORA_API_KEY=… node edit-pipeline.mjs
import { writeFile } from 'node:fs/promises';
import { Kinora } from '@kinora/client';

const kinora = new Kinora();
const EDITS = { night: 'the same place at night', winter: 'the same place in winter', ink: 'as an ink drawing' };

const quote = await kinora.quotes.create({
  operation: 'images.generations',
  request: { prompt: 'a lighthouse', n: 2 },
});
console.log(`two drafts cost ${quote.price.usd} USD`);

// The quoted price holds for ten minutes, whatever the price list says by then.
const drafts = await kinora.images.generate({ prompt: 'a lighthouse', n: 2 }, { quote: quote.id });
const draft = await kinora.download(drafts.output.images[0], 'draft.png');

// The edits run side by side; each reads the draft from the disk.
const jobs = await Promise.all(
  Object.entries(EDITS).map(async ([name, prompt]) => {
    const job = await kinora.images.edit({ prompt, image: draft.path, metadata: { name } });
    await kinora.download(job.output.images[0], `${name}.png`);
    return job;
  }),
);

// A receipt is signed by the service, and outlives the images.
for (const { id, metadata } of [drafts, ...jobs]) {
  const receipt = await kinora.jobs.receipt(id);
  const { price } = await kinora.receipts.verify(receipt);
  await writeFile(`${metadata?.name ?? 'draft'}.receipt.json`, JSON.stringify(receipt, null, 2));
  console.log(`${metadata?.name ?? 'draft'}: ${price.micros / 1e6} USD`);
}
