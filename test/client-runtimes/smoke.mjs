// What the client does with the means of its runtime: files, streams, timers, signals, cryptography, both forms of modules.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import process from 'node:process';
import { AuthenticationError, JobFailedError, JobPendingError, Kinora } from '@kinora/client';

const kinora = new Kinora();
const drawn = { model: 'fast-image', prompt: 'a lighthouse' };

const job = await kinora.images.generate(drawn);
const { bytes, sha256 } = await kinora.download(job.output.images[0], 'image.png');
const file = await readFile('image.png');
assert.equal(file.length, bytes);
assert.deepEqual(Buffer.from(await kinora.download(job.output.images[0], undefined, { sha256 })), file);
assert.equal((await kinora.jobs.download(job.id, 'outputs'))[0].sha256, sha256);
assert.deepEqual(
  (await readdir('.')).filter((name) => name.endsWith('.part')),
  [],
);

// Of the default model, because the creation of a fast one waits for its end.
const slow = { prompt: '[[delay:2s]] a lighthouse' };
const pending = await kinora.images.generate(slow, { timeout: 200 }).catch((error) => error);
assert.ok(pending instanceof JobPendingError, String(pending));
const types = [];
for await (const { type } of kinora.jobs.events(pending.jobId)) types.push(type);
assert.equal(types.at(0), 'job.progress');
assert.equal(types.at(-1), 'job.succeeded');
assert.equal((await pending.resume()).id, pending.jobId);

const abort = new AbortController();
const aborted = { signal: abort.signal, cancelOnAbort: true, onUpdate: () => abort.abort() };
const canceled = await kinora.images.generate({ prompt: '[[delay:60s]] a' }, aborted).catch((error) => error);
assert.ok(canceled instanceof JobFailedError, String(canceled));

const images = ['image.png', file, new Blob([file]), createReadStream('image.png')];
for (const image of images) {
  const edit = await kinora.images.createEdit({ prompt: 'at night', image });
  assert.equal(edit.object, 'job');
}

const receipt = await kinora.jobs.receipt(job.id);
assert.equal((await kinora.receipts.verify(receipt)).job_id, job.id);

const time = Math.floor(Date.now() / 1_000);
const signature = createHmac('sha256', 'whsec_x').update(`${time}.{"id":"evt_1"}`).digest('hex');
const headers = { 'X-Service-Signature': `t=${time},v1=${signature}` };
assert.equal(kinora.webhooks.unwrap('{"id":"evt_1"}', headers, 'whsec_x').id, 'evt_1');

const ids = [];
for await (const { id } of kinora.jobs.list({ limit: 3 })) ids.push(id);
assert.equal(new Set(ids).size, 3 + images.length);
await assert.rejects(new Kinora({ apiKey: 'knr_test_wrong' }).account.get(), AuthenticationError);

const required = createRequire(import.meta.url)('@kinora/client');
assert.equal((await new required.Kinora().ping()).ok, true);
console.log(`passed with ${process.versions.bun ?? process.versions.deno ?? process.version}`);
