/** Must be raised whenever the same order gives different pixels. */
const RENDERER_VERSION = '2.0';

/** The limits that a client needs in order not to overload the sandbox. */
export interface Capacity {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** The images of different tasks are drawn in turn, so that a task does not wait for the end of those before it. */
  readonly interleaves: boolean;
}

/** The identity and the abilities of this worker; `sandbox` means that no model and no GPU is involved. */
export const CAPABILITIES = {
  name: 'sandbox',
  sandbox: true,
  version: RENDERER_VERSION,
  operations: ['image.generation', 'image.edit', 'video.generation'],
  formats: ['image/png', 'video/mp4'],
  directives: true,
} as const;
