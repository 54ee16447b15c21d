/** Raised whenever the same order gives other pixels. */
const RENDERER_VERSION = '1.0';

/** What this worker is and can do; `sandbox` says that no model and no GPU stand behind it. */
export const CAPABILITIES = {
  name: 'sandbox',
  sandbox: true,
  version: RENDERER_VERSION,
  operations: ['image.generation', 'image.edit', 'video.generation'],
  formats: ['image/png', 'video/mp4'],
  directives: true,
} as const;
