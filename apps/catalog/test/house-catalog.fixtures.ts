import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Catalog } from '../src/catalog/catalog';
import { loadCatalog } from '../src/catalog/load-catalog';

export const HOUSE_MODEL = `models:
  - id: house-image
    type: image
    label: House image
    capabilities: { t2i: true, sizes: [512x512, 768x768], max_n: 2, loras: catalog }
    price: { micros: 700, per: image, micros_by_size: { 768x768: 1500 } }
    steps: { min: 4, max: 8, default: 4 }
    routes: [{ provider: house }]
`;

export const HOUSE_VIDEO = `models:
  - id: house-video
    type: video
    label: House video
    capabilities: { i2v: true, durations: [5], loras: url, fps: 16 }
    price: { micros: 700, per: second }
    output_frame: { max_pixels: 921600, side_multiple: 32 }
    routes: [{ provider: house }]
`;

/** A folder of an operator, with one provider beside the sandbox, for the specs of one `describe`. */
export function useCatalogFolder(): { configDir: string; file: string; load: (text: string) => Catalog } {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-'));
  const file = path.join(configDir, 'catalog.yaml');
  beforeAll(() => writeFileSync(path.join(configDir, 'providers.yaml'), 'providers: [{ id: house, type: comfyui }]\n'));
  afterAll(() => rmSync(configDir, { recursive: true }));
  const load = (text: string): Catalog => {
    writeFileSync(file, text);
    return loadCatalog(configDir);
  };
  return { configDir, file, load };
}
