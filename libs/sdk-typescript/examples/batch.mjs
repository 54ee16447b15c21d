// A hundred images with eight jobs at a time, a progress bar, and a folder with the results.
//   KINORA_BASE_URL=… KINORA_API_KEY=… node batch.mjs [count]
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { JobFailedError, Kinora } from '@kinora/client';

const count = Number(process.argv[2] ?? 100);
const AT_ONCE = 8;
const FOLDER = 'batch';

const kinora = new Kinora();
const prompts = Array.from({ length: count }, (_, index) => `a lighthouse, variation ${index + 1}`);
const failed = [];
let done = 0;

await mkdir(FOLDER, { recursive: true });
const queue = prompts.entries();
// Each worker takes the next prompt when it has finished one, so AT_ONCE jobs at most are in flight.
await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`\n${done - failed.length} images in ${FOLDER}/, ${failed.length} failed.`);

async function work() {
  for (const [index, prompt] of queue) {
    try {
      // A key of the batch and its place: started again after a crash, the program pays for nothing twice.
      const idempotencyKey = `lighthouses-${index}`;
      const job = await kinora.images.generate({ model: 'fast-image', prompt, seed: index }, { idempotencyKey });
      await kinora.download(job.output.images[0], path.join(FOLDER, `${index}.png`));
    } catch (error) {
      // A failed job costs nothing. Everything else ends the batch.
      if (!(error instanceof JobFailedError)) throw error;
      failed.push({ prompt, code: error.code });
    }
    done += 1;
    draw();
  }
}

function draw() {
  const width = 40;
  const filled = Math.round((width * done) / count);
  process.stdout.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${count}`);
}
