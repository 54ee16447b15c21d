/** Raised whenever the same order gives other pixels. */
const RENDERER_VERSION = '1.0';

/** What a caller must know to send it no more than it works on. */
export interface Capacity {
  /** Tasks that it works on at the same time. */
  readonly concurrency: number;
  /** The images of different tasks take turns, so that a task does not wait for the end of those before it. */
  readonly interleaves: boolean;
}

/** What this worker is and can do; `sandbox` says that no model and no GPU stand behind it. */
export const CAPABILITIES = {
  name: 'sandbox',
  sandbox: true,
  version: RENDERER_VERSION,
  operations: ['image.generation', 'image.edit', 'video.generation'],
  formats: ['image/png', 'video/mp4'],
  directives: true,
} as const;
