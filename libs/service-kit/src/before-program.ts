// Node runs this file before a long-running program: `node --require …/before-program.js program.js`.
import { isMainThread } from 'node:worker_threads';
import { lowerPoolPriority } from './thread-priority';
import { mapStacksToSource } from './stack-traces';
import { setFlagsForStart } from './v8-flags';

// As newer versions of Node do. pg asks it whether it runs at Cloudflare, and would otherwise load the whole of fetch: 25 ms of
// processor time a process.
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.version}` } });
mapStacksToSource();
if (isMainThread) {
  setFlagsForStart();
  lowerPoolPriority();
}
