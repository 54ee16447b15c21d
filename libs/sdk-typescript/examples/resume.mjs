// One image, paid once, although this program may be killed at any time: start it again, and it continues.
//   KINORA_BASE_URL=… KINORA_API_KEY=… node resume.mjs <prompt>
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { JobPendingError, Kinora } from '@kinora/client';

const HANDLE = 'handle.json';
const kinora = new Kinora();

// 1. The handle is stored before the first request. From here on, nothing can be paid twice.
const handle = (await load()) ?? { idempotencyKey: randomUUID(), body: { prompt: process.argv[2] } };
await store(handle);
console.log('stored');

// 2. The same body with the same key is the same job, also where the answer to the first request was lost.
const { idempotencyKey, body } = handle;
const { id } = await kinora.images.create(body, { idempotencyKey });
console.log(`created ${id}`);

// 3. A wait that takes too long has not lost the job.
const job = await finish(() => kinora.jobs.wait(id, { timeout: 60_000, onUpdate: report }));

// 4. Complete, or not there: a file that was cut short never has its name.
console.log('downloading');
await kinora.download(job.output.images[0], `${id}.png`);
console.log(`saved ${id}.png`);

async function finish(wait) {
  try {
    return await wait();
  } catch (error) {
    if (!(error instanceof JobPendingError)) throw error;
    console.log(`still waiting for ${error.jobId}`);
    return await finish(() => error.resume());
  }
}

function report({ status, progress }) {
  console.log(`waiting: ${status} ${progress ?? ''}`);
}

async function load() {
  return await readFile(HANDLE, 'utf8').then(JSON.parse, () => null);
}

async function store(content) {
  await writeFile(`${HANDLE}.part`, JSON.stringify(content));
  await rename(`${HANDLE}.part`, HANDLE);
}
