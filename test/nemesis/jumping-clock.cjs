// Preloaded into every process of the stack: SIGUSR2 puts its clock ten minutes forward, and the next one back again.
const { isMainThread } = require('node:worker_threads');

const JUMP_MS = 10 * 60_000;
const RealDate = Date;
let shiftMs = 0;

globalThis.Date = class Date extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }

  /** Also for what Node makes itself, such as the times of a file. */
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate;
  }
};
if (isMainThread) process.on('SIGUSR2', () => (shiftMs = shiftMs === 0 ? JUMP_MS : 0));
