import { PRICE_MICROS, QUEUE_TIMEOUT_MS, RUN_TIMEOUT_MS } from './history';

const MODEL = {
  type: 'image',
  queue_timeout_ms: QUEUE_TIMEOUT_MS,
  run_timeout_ms: RUN_TIMEOUT_MS,
  routes: [{ provider: 'sandbox' }],
};
const VIDEO_SECONDS = 5;
/** The catalog of a stack. Small images: the subject is what happens to many jobs. */
export const MODELS = [
  {
    ...MODEL,
    id: 'general-image',
    label: 'Small image',
    aliases: ['gpt-image-2'],
    capabilities: { t2i: true, sizes: ['128x128'], max_n: 4, max_refs: 0, sandbox: true },
    price: { micros: PRICE_MICROS.image, per: 'image' },
  },
  {
    ...MODEL,
    id: 'image-edit',
    label: 'Small edit',
    capabilities: { edit: true, max_n: 1, max_refs: 3, sandbox: true },
    output_side: { min: 128, max: 256 },
    price: { micros: PRICE_MICROS.edit, per: 'image' },
  },
  {
    ...MODEL,
    type: 'video',
    id: 'image-to-video',
    label: 'Small video',
    capabilities: { i2v: true, durations: [VIDEO_SECONDS], fps: 8, max_refs: 1, sandbox: true },
    output_frame: { max_pixels: 512 * 512, side_multiple: 16 },
    price: { micros: PRICE_MICROS.video / VIDEO_SECONDS, per: 'second' },
  },
];
