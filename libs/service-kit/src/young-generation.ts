import { setFlagsFromString } from 'node:v8';

/**
 * V8 doubles the young generation of a heap whenever much of it survives, up to 32 MB, and rarely shrinks it. Nearly all that
 * is allocated while a program loads survives, so a process would keep 20 MB that it needed only for its start. V8 flags apply
 * to the whole process, so worker threads must not set them.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Restores V8's default once a program has started: a small young generation under load would cost a fifth of the CPU time. */
export function letYoungGenerationGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
