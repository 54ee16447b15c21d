import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '@kinora/service-kit';
import { toModel } from '../model/model.view';
import { loadCatalog } from './load-catalog';

const HOUSE_MODEL = `models:
  - id: house-image
    type: image
    label: House image
    capabilities: { t2i: true, sizes: [512x512, 768x768], max_n: 2, loras: catalog }
    price: { micros: 700, per: image, micros_by_size: { 768x768: 1500 } }
    steps: { min: 4, max: 8, default: 4 }
    routes: [{ provider: house }]
`;

const HOUSE_VIDEO = `models:
  - id: house-video
    type: video
    label: House video
    capabilities: { i2v: true, durations: [5], loras: url, fps: 16 }
    price: { micros: 700, per: second }
    output_frame: { max_pixels: 921600, side_multiple: 32 }
    routes: [{ provider: house }]
`;

describe('load catalog', () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-'));
  const file = path.join(configDir, 'catalog.yaml');
  afterAll(() => rmSync(configDir, { recursive: true }));

  const load = (text: string) => {
    writeFileSync(file, text);
    return loadCatalog(configDir);
  };

  it("has the interface's default models built in, each labelled as sandbox and free of rights", () => {
    const models = loadCatalog('').listModels().map(toModel);
    expect(models.map(({ id }) => id)).toEqual(['general-image', 'fast-image', 'image-edit', 'image-to-video']);
    for (const model of models) {
      expect(model).toMatchObject({
        label: expect.stringContaining('sandbox') as string,
        capabilities: { sandbox: true, i2v: model.type === 'video', img2img: false, inpaint: false },
        price: { unit: 'usd', note: 'sandbox' },
        license: 'CC0-1.0',
      });
    }
  });

  it('waits for the end of a create only where a model is fast', () => {
    const waits = loadCatalog('')
      .listModels()
      .map(({ id, sync_wait_ms }) => [id, sync_wait_ms > 0]);
    expect(Object.fromEntries(waits)).toEqual({
      'general-image': false,
      'fast-image': true,
      'image-edit': false,
      'image-to-video': false,
    });
  });

  it("adds the operator's models after the built-in ones, with defaults for what the file leaves out", () => {
    const models = load(HOUSE_MODEL).listModels();
    expect(models.map(({ id }) => id).slice(-2)).toEqual(['image-to-video', 'house-image']);
    expect(models.at(-1)).toMatchObject({
      description: null,
      capabilities: { t2i: true, edit: false, sizes: ['512x512', '768x768'] },
      price: { micros: 700, micros_by_size: { '768x768': 1500 } },
      routes: [{ provider: 'house', weight: 1 }],
      sync_wait_ms: 0,
    });
  });

  it('replaces a built-in model with the same id in its place', () => {
    const models = load(HOUSE_MODEL.replace('id: house-image', 'id: general-image')).listModels();
    expect(models.map(({ id }) => id)).toEqual(['general-image', 'fast-image', 'image-edit', 'image-to-video']);
    expect(models[0]?.label).toBe('House image');
  });

  it('takes LoRAs for built-in models and for those of the file', () => {
    const catalog = load(
      `${HOUSE_MODEL}loras:\n  - { id: woodcut, label: Woodcut, compatible_models: [house-image, general-image] }\n`,
    );
    const lorasOf = (id: string) => {
      const model = catalog.findModel(id);
      return model && catalog.listLorasOf(model).map((lora) => lora.id);
    };
    expect(lorasOf('house-image')).toEqual(['woodcut']);
    expect(lorasOf('general-image')).toEqual(['ink-wash', 'pixel-art', 'duotone', 'halftone', 'woodcut']);
    expect(lorasOf('image-edit')).toEqual([]);
  });

  it.each([
    ['sizes: [512x512, 768x768], ', '', '5: models[0].capabilities.sizes: must be given for a model that can do t2i'],
    ['768x768: 1500', '999x999: 1500', '6: models[0].price.micros_by_size.999x999: must be one of capabilities.sizes'],
    [
      '768x768: 1500',
      '768x768: 1.5',
      '6: models[0].price.micros_by_size.768x768: must be a whole number of micros, at least 0',
    ],
    ['max: 8', 'max: 80', '7: models[0].steps: must lie within 1 and 50, min not above max'],
    ['default: 4', 'default: 9', '7: models[0].steps.default: must lie within min and max'],
    ['per: image', 'per: second', '6: models[0].price.per: must be image for type image'],
    [
      '512x512',
      '5x5',
      '5: models[0].capabilities.sizes: each value in sizes must match /^\\d{3,4}x\\d{3,4}$/ regular expression',
    ],
    ['label:', 'lable:', '4: models[0].lable: property lable should not exist'],
  ])('refuses a file where %j became %j, and names the line', (right, wrong, problem) => {
    expect(() => load(HOUSE_MODEL.replace(right, wrong))).toThrow(new ConfigError(`${file}:${problem}`));
  });

  it.each([
    ['durations: [5], ', '', '5: models[0].capabilities.durations: must be given for a model that can do i2v'],
    [', fps: 16', '', '5: models[0].capabilities.fps: must be given for a model that can do i2v'],
    ['per: second', 'per: image', '6: models[0].price.per: must be second for type video'],
    [/ {4}output_frame.*\n/, '', '2: models[0].output_frame: must be given for a model that can do i2v'],
    ['921600', '921', '7: models[0].output_frame.max_pixels: max_pixels must not be less than 262144'],
    [
      'side_multiple: 32',
      'side_multiple: 15',
      '7: models[0].output_frame.side_multiple: side_multiple must be one of the following values: 2, 4, 8, 16, 32, 64',
    ],
  ])('refuses a video model where %s became %j, and names the line', (right, wrong, problem) => {
    expect(load(HOUSE_VIDEO).findModel('house-video')).not.toBeNull();
    expect(() => load(HOUSE_VIDEO.replace(right, wrong))).toThrow(new ConfigError(`${file}:${problem}`));
  });

  it('refuses a LoRA for a model that nobody defines', () => {
    const text = 'loras:\n  - { id: woodcut, label: Woodcut, compatible_models: [general-image, no-such] }\n';
    expect(() => load(text)).toThrow(
      new ConfigError(`${file}:2: loras[0].compatible_models[1]: is no model of this catalog`),
    );
  });
});
