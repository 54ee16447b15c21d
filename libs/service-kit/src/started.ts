import { channel } from 'node:diagnostics_channel';
import { setFlagsForWork } from './v8-flags';

/** A channel of Node, because the loader of a bundle is not part of the bundle. */
export const STARTED = 'kinora.started';

/** Called once a program has started, if it was bundled: keeps its compiled code for the next starts. */
export function keepCompiledCode(): void {
  channel(STARTED).publish(undefined);
}

/** Called once a service accepts work. The code that ran until then ran once, so V8's flags were those for a start. */
export function markStarted(): void {
  keepCompiledCode();
  setFlagsForWork();
}
