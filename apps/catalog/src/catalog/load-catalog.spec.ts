import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@kinora/service-kit';
import { toModel, toModelDetails, toResolvedModel } from './model.view';
import { HOUSE_MODEL, HOUSE_VIDEO, useCatalogFolder } from '../../test/house-catalog.fixtures';
import { loadCatalog } from './load-catalog';

const STYLES = ['ink-wash', 'pixel-art', 'duotone', 'halftone', 'watercolour'];

describe('load catalog', () => {
  const { configDir, file, load } = useCatalogFolder();

  it('shows the cost and the upstream mark of a route to operators, and only the marker to the contexts that route jobs', () => {
    const route = 'house, cost_micros: 250, upstream_mark: synthid, marker: http }]';
    const [model] = load(HOUSE_MODEL.replace('house }]', route))
      .listModels()
      .filter(({ id }) => id === 'house-image');
    if (!model) throw new Error('The model is missing.');
    expect(toModelDetails(model, model.price, true).routes).toMatchObject([
      { provider: 'house', cost_micros: 250, upstream_mark: 'synthid' },
    ]);
    expect(toResolvedModel(model, model.price, []).routes).toEqual([
      { provider: 'house', weight: 1, order: 0, marker: 'http' },
    ]);
  });

  it('contains the default models of the API, each labelled as sandbox and with a public-domain license', () => {
    const models = loadCatalog('')
      .listModels()
      .map((model) => toModel(model, model.price));
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

  it('has a synchronous wait only for the fast model', () => {
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

  it("adds the operator's models after the built-in ones, with defaults for omitted fields", () => {
    const models = load(HOUSE_MODEL).listModels();
    expect(models.map(({ id }) => id).slice(-2)).toEqual(['image-to-video', 'house-image']);
    const [added] = models.slice(-1) as [(typeof models)[number]];
    const definition = {
      price: { micros: 700, micros_by_size: { '768x768': 1500 } },
      routes: [{ provider: 'house', weight: 1 }],
    };
    expect(added).toMatchObject({
      ...definition,
      description: null,
      capabilities: { t2i: true, edit: false, sizes: ['512x512', '768x768'] },
      sync_wait_ms: 0,
    });
    expect(toResolvedModel(added, added.price, [])).toMatchObject(definition);
  });

  it('replaces a built-in model with the same id in its place', () => {
    const models = load(HOUSE_MODEL.replace('id: house-image', 'id: general-image')).listModels();
    expect(models.map(({ id }) => id)).toEqual(['general-image', 'fast-image', 'image-edit', 'image-to-video']);
    expect(models[0]?.label).toBe('House image');
  });

  it('accepts LoRAs for built-in models and for models of the file', () => {
    const catalog = load(
      `${HOUSE_MODEL}loras:\n  - { id: woodcut, label: Woodcut, compatible_models: [house-image, general-image] }\n`,
    );
    const lorasOf = (id: string) => {
      const model = catalog.findModel(id);
      return model && catalog.listLorasOf(model).map((lora) => lora.id);
    };
    expect(lorasOf('house-image')).toEqual(['woodcut']);
    expect(lorasOf('general-image')).toEqual([...STYLES, 'woodcut']);
    expect(lorasOf('fast-image')).toEqual(STYLES);
    expect(lorasOf('image-to-video')).toEqual([]);
    expect(lorasOf('image-edit')).toEqual([]);
  });

  it.each([
    ['sizes: [512x512, 768x768], ', '', '5: models[0].capabilities.sizes: must be given for a model that can do t2i'],
    ['768x768: 1500', '999x999: 1500', '6: models[0].price.micros_by_size.999x999: must be one of capabilities.sizes'],
    [
      '768x768: 1500',
      '768x768: 1.5',
      '6: models[0].price.micros_by_size.768x768: must be a whole number of micros from 0 to 1000000000000',
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
    [
      'label: House image',
      'label: 7',
      '4: models[0].label: label must be longer than or equal to 1 and shorter than or equal to 100 characters',
    ],
    ['t2i: true', 't2i: false', '5: models[0].capabilities: must have at least one of t2i, edit and i2v'],
    ['t2i: true', 't2i: true, i2v: true', '5: models[0].capabilities.i2v: must be false for type image'],
    [
      't2i: true',
      'edit: true, max_refs: 1',
      '5: models[0].capabilities.loras: must be left out for a model that can only do edit',
    ],
    ['loras: catalog', 'edit: true', '5: models[0].capabilities.max_refs: must be given for a model that can do edit'],
    [
      'loras: catalog',
      'edit: true, max_refs: 2',
      '2: models[0].output_side: must be given for a model that can do edit',
    ],
    [
      'loras: catalog',
      'loras: any',
      '5: models[0].capabilities.loras: loras must be one of the following values: url, catalog',
    ],
    ['max_n: 2', 'max_n: 5', '5: models[0].capabilities.max_n: max_n must not be greater than 4'],
    ['max_n: 2', 'max_n: null', '5: models[0].capabilities.max_n: max_n must not be greater than 4'],
    [
      '[512x512, 768x768]',
      '[768x768, 768x768]',
      "5: models[0].capabilities.sizes: All sizes's elements must be unique",
    ],
    ['micros: 700', 'micros: 0.5', '6: models[0].price.micros: micros must be an integer number'],
    [
      '[{ provider: house }]',
      '[{ provider: sandbox }, { provider: hosue }]',
      '8: models[0].routes[1].provider: is neither sandbox nor in providers.yaml',
    ],
    ['[{ provider: house }]', '[]', '8: models[0].routes: routes should not be empty'],
    [
      '[{ provider: house }]',
      '[{ provider: house }, { provider: house }]',
      "8: models[0].routes: All routes's elements must be unique",
    ],
    [
      '{ provider: house }',
      '{ provider: house, weight: 0 }',
      '8: models[0].routes[0].weight: weight must not be less than 1',
    ],
    [
      '{ provider: house }',
      '{ provider: house, marker: ours }',
      '8: models[0].routes[0].marker: marker must be one of the following values: none, http',
    ],
    [
      'routes:',
      'sync_wait_ms: 10001\n    routes:',
      '8: models[0].sync_wait_ms: sync_wait_ms must not be greater than 10000',
    ],
    ['id: house-image', 'id: House', '2: models[0].id: id must match /^[a-z0-9][a-z0-9._-]{0,63}$/ regular expression'],
    [
      /$/,
      HOUSE_VIDEO.replace('models:\n', '').replace('house-video', 'house-image'),
      '9: models[1].id: is defined twice',
    ],
  ])('refuses a file in which %j is replaced by %j, and names the line', (right, wrong, problem) => {
    expect(() => load(HOUSE_MODEL.replace(right, wrong))).toThrow(new ConfigError(`${file}:${problem}`));
  });

  it.each([
    ['durations: [5], ', '', '5: models[0].capabilities.durations: must be given for a model that can do i2v'],
    [', fps: 16', '', '5: models[0].capabilities.fps: must be given for a model that can do i2v'],
    ['per: second', 'per: image', '6: models[0].price.per: must be second for type video'],
    [/ {4}output_frame.*\n/, '', '2: models[0].output_frame: must be given for a model that can do i2v'],
    ['house }', 'house, marker: http }', '8: models[0].routes[0].marker: must be none for type video'],
    ['921600', '921', '7: models[0].output_frame.max_pixels: max_pixels must not be less than 262144'],
    [
      'side_multiple: 32',
      'side_multiple: 15',
      '7: models[0].output_frame.side_multiple: side_multiple must be one of the following values: 2, 4, 8, 16, 32, 64',
    ],
  ])('refuses a video model in which %s is replaced by %j, and names the line', (right, wrong, problem) => {
    expect(load(HOUSE_VIDEO).findModel('house-video')).not.toBeNull();
    expect(() => load(HOUSE_VIDEO.replace(right, wrong))).toThrow(new ConfigError(`${file}:${problem}`));
  });

  it('returns for every model all capabilities of its type', () => {
    const keys = ['t2i', 'edit', 'img2img', 'inpaint', 'i2v', 'max_refs', 'sandbox'];
    const further = {
      'general-image': ['sizes', 'max_n', 'steps', 'guidance', 'loras'],
      'fast-image': ['sizes', 'max_n', 'steps', 'guidance', 'loras'],
      'image-edit': ['max_n', 'output_side'],
      'image-to-video': ['durations', 'fps', 'loras'],
    };
    const given = loadCatalog('')
      .listModels()
      .map((model) => toModel(model, model.price));
    expect(Object.fromEntries(given.map(({ id, capabilities }) => [id, Object.keys(capabilities).sort()]))).toEqual(
      Object.fromEntries(Object.entries(further).map(([id, more]) => [id, [...keys, ...more].sort()])),
    );
  });

  it('keeps the sandbox styles of a replaced model only if the sandbox renders it too', () => {
    const replaced = HOUSE_MODEL.replace('id: house-image', 'id: general-image');
    const elsewhere = load(replaced).listLoras();
    expect(elsewhere.map(({ compatible_models }) => compatible_models)).toEqual(STYLES.map(() => ['fast-image']));
    const [ink] = load(replaced.replace('t2i: true', 't2i: true, sandbox: true')).listLoras();
    expect(ink?.compatible_models).toEqual(['general-image', 'fast-image']);
  });

  it("loads the operator's example file, with prices per size and per second", () => {
    const example = readFileSync(path.join(__dirname, '../../../../deploy/examples/catalog.yaml'), 'utf8');
    const catalog = load(example);
    expect(catalog.findModel('poster-image')?.price).toMatchObject({
      per: 'image',
      micros_by_size: { '1216x832': 45_000 },
    });
    expect(catalog.findModel('short-video')?.price).toMatchObject({ per: 'second' });
    expect(catalog.findModel('fast-image')?.label).toBe('Quick sketch');
    expect(catalog.listLoras().at(-1)).toMatchObject({ id: 'woodcut', triggers: 'woodcut print' });
  });

  it('loads the ComfyUI example files, each routed to an included template', () => {
    const examples = path.join(__dirname, '../../../../deploy/examples');
    const beside = path.join(configDir, 'examples');
    mkdirSync(beside);
    copyFileSync(path.join(examples, 'catalog.comfyui.yaml'), path.join(beside, 'catalog.yaml'));
    copyFileSync(path.join(examples, 'providers.yaml'), path.join(beside, 'providers.yaml'));
    const catalog = loadCatalog(beside);
    const templates = path.join(__dirname, '../../../../libs/compute/assets/comfyui');
    const routes = [
      'sdxl',
      'flux-dev',
      'qwen-image-edit',
      'wan-2.2-i2v',
      'standin',
      'standin-edit',
      'standin-video',
    ].flatMap((id) => catalog.findModel(id)?.routes ?? []);
    expect(routes).toHaveLength(7);
    for (const { template } of routes) expect(existsSync(path.join(templates, `${template}.params.json`))).toBe(true);
  });

  it.each([
    ['compatible_models: [general-image, no-such]', 'compatible_models[1]: is not a model of this catalog'],
    ['compatible_models: [image-edit]', 'compatible_models[0]: is a model that takes no LoRAs'],
    ['compatible_models: []', 'compatible_models: compatible_models should not be empty'],
    [
      'compatible_models: [fast-image], default_strength: 1.6',
      'default_strength: default_strength must not be greater than 1.5',
    ],
    [
      'compatible_models: [fast-image], default_strength: 0',
      'default_strength: default_strength must not be less than 0.1',
    ],
    ['compatible_models: [fast-image], triggers: 7', 'triggers: triggers must be a string'],
    ...['file: a.ckpt', 'file: ../a.safetensors', 'low_file: a.safetensors/'].map((field) => [
      `compatible_models: [fast-image], ${field}`,
      `${field.split(':')[0]}: must name a .safetensors file in the folder of LoRAs`,
    ]),
    ['compatible_models: [fast-image], url: "http://hub.example/a.safetensors"', 'url: must be an https address'],
  ])('refuses a LoRA with %s, and names the line', (fields, problem) => {
    const text = `loras:\n  - { id: woodcut, label: Woodcut, ${fields} }\n`;
    expect(() => load(text)).toThrow(new ConfigError(`${file}:2: loras[0].${problem}`));
  });

  it('refuses a LoRA that is defined twice', () => {
    const lora = '  - { id: woodcut, label: Woodcut, compatible_models: [fast-image] }\n';
    expect(() => load(`loras:\n${lora}${lora}`)).toThrow(new ConfigError(`${file}:3: loras[1].id: is defined twice`));
  });
});
