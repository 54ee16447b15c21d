import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const HOUR_MS = 3_600_000;

/** One that has room for a single task runs its jobs, so that all others stand in line. */
export const CROWDED = { model: 'crowded-image', provider: 'crowded' };
/** So small that the machine's time goes into all that surrounds the drawing of an image. */
export const SMALL_MODEL = 'small-image';

/**
 * Writes a catalog.yaml whose models have so much patience that jobs which are only there to be there do not end, and cost
 * their end, in the middle of what is measured.
 */
export async function writeBenchCatalog(configDir: string, { crowded } = { crowded: false }): Promise<void> {
  const models = [
    imageModel('general-image', '1024x1024', 'sandbox'),
    imageModel(SMALL_MODEL, '128x128', 'sandbox'),
    ...(crowded ? [imageModel(CROWDED.model, '1024x1024', CROWDED.provider)] : []),
  ];
  await writeFile(path.join(configDir, 'catalog.yaml'), JSON.stringify({ models }));
}

function imageModel(id: string, size: string, provider: string): object {
  return {
    id,
    type: 'image',
    label: 'Image of the bench',
    capabilities: { t2i: true, sizes: [size], max_n: 1, max_refs: 0, sandbox: true },
    price: { micros: 20_000, per: 'image' },
    queue_timeout_ms: HOUR_MS,
    run_timeout_ms: HOUR_MS,
    // None is refused, however fast they are accepted.
    max_backlog: 1_000_000,
    routes: [{ provider }],
  };
}
