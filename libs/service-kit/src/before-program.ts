// Node runs this file before a long-running program: `node --require …/before-program.js program.js`.
import { isMainThread } from 'node:worker_threads';
import { lowerPoolPriority } from './thread-priority';
import { mapStacksToSource } from './stack-traces';
import { keepYoungGenerationSmall } from './young-generation';

mapStacksToSource();
if (isMainThread) {
  keepYoungGenerationSmall();
  lowerPoolPriority();
}
