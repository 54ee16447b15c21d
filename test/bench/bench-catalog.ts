import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const HOUR_MS = 3_600_000;

/** A backend with one slot runs the jobs of this model, so all others stay queued. */
export const CROWDED = { model: 'crowded-image', provider: 'crowded' };
/** An image so small that nearly all of the measured time is spent outside of drawing. */
export const SMALL_MODEL = 'small-image';

/**
 * Writes a catalog.yaml whose models have very long deadlines. Queued jobs of the backlog then do not expire during a
 * measurement, which would cost processor time.
 */
export async function writeBenchCatalog(
  configDir: string,
  { crowded = false, provider = 'sandbox' }: { crowded?: boolean; provider?: string } = {},
): Promise<void> {
  const models = [
    imageModel('general-image', '1024x1024', provider),
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
    // The limit is so high that no request is rate limited.
    max_backlog: 1_000_000,
    routes: [{ provider }],
  };
}
