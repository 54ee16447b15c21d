import { setFlagsFromString } from 'node:v8';

/**
 * V8 doubles the young generation of a heap whenever much of it survives, up to 32 MB, and hardly ever takes that back. What
 * survives while a program loads is nearly everything: a process would rest on 20 MB that it needed for its start alone.
 * Flags are those of the whole process, so that threads leave them alone.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** For a program that has started, as V8 has it by itself: so small under load it would cost a fifth of the processor's time. */
export function letYoungGenerationGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
