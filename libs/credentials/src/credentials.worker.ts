import { parentPort } from 'node:worker_threads';
import { loadC2pa } from './c2pa-module';
import { readInThread } from './read-in-thread';
import { signInThread } from './sign-in-thread';
import type { ThreadCall, ThreadMessage } from './thread-messages';

const port = parentPort;
if (!port) throw new Error('This program is a worker thread.');

const loading = loadC2pa();
/** Signatures for which the library waits. */
const awaited = new Map<number, (reply: { signature: Uint8Array<ArrayBuffer> } | { error: string }) => void>();

port.on('message', (call: ThreadCall) => {
  if (call.call === 'signature') awaited.get(call.id)?.(call.reply);
  else void answer(call);
});

async function answer(call: Exclude<ThreadCall, { call: 'signature' }>): Promise<void> {
  try {
    const c2pa = await loading;
    const result =
      call.call === 'read'
        ? await readInThread(c2pa, call)
        : await signInThread(c2pa, call, (claim) => askForSignature(call.id, claim));
    port?.postMessage({ kind: 'done', id: call.id, result } satisfies ThreadMessage);
  } catch (error) {
    // After a trap the memory of the library is in no known state: the parent starts another thread.
    const isFatal = error instanceof Error && error.name === 'RuntimeError';
    port?.postMessage({ kind: 'failed', id: call.id, error: String(error), isFatal } satisfies ThreadMessage);
  }
}

function askForSignature(id: number, claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    awaited.set(id, (reply) => {
      awaited.delete(id);
      if ('signature' in reply) resolve(reply.signature);
      else reject(new Error(reply.error));
    });
    port?.postMessage({ kind: 'sign', id, claim } satisfies ThreadMessage);
  });
}
