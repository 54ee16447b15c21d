import { channel } from 'node:diagnostics_channel';
import { setFlagsFromString } from 'node:v8';
import { letYoungGenerationGrow } from './young-generation';

/** A channel of Node, because the loader of a bundle is not part of the bundle. */
export const STARTED = 'kinora.started';

/** Called once a program has started, if it was bundled: keeps its compiled code for the next starts. */
export function keepCompiledCode(): void {
  channel(STARTED).publish(undefined);
}

/** Called once a service accepts work. The code that ran until then ran once, so V8's settings were those for a start. */
export function markStarted(): void {
  keepCompiledCode();
  letYoungGenerationGrow();
  optimizeEarly();
}

/**
 * V8 optimizes a function after some thousand calls, and records type feedback only after the first few calls. A request passes
 * through very many functions. Without these flags, the first ten thousand requests of a new process, as after every roll-out,
 * cost about half as much again.
 */
function optimizeEarly(): void {
  setFlagsFromString('--interrupt-budget=10000');
  setFlagsFromString('--no-lazy-feedback-allocation');
}
