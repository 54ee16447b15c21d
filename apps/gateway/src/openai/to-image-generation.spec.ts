import type { Model } from '@kinora/contracts/catalog/model';
import { nearestSize, toImageGeneration } from './to-image-generation';

const model = (id: string, sizes: string[]): Model => ({
  ...{ id, object: 'model', type: 'image', label: id, description: null, price: null, license: null },
  capabilities: { t2i: true, sizes },
});
const OFFERED = {
  models: [model('general-image', ['1024x1024', '1216x832']), model('fast-image', ['512x512'])],
  aliases: [
    { alias: 'dall-e-3', operation: 'image.generation', model: 'fast-image' },
    { alias: 'dall-e-3', operation: 'image.edit', model: 'image-edit' },
  ] as const,
};
const translate = (received: unknown) => toImageGeneration(received, { ...OFFERED, aliases: [...OFFERED.aliases] });

describe('an image generation of OpenAI', () => {
  it('is passed on with the fields that Kinora has', () => {
    const fields = { prompt: 'p', n: 2, output_format: 'webp', seed: 7, negative_prompt: 'x', steps: 4, guidance: 2 };
    const loras = [{ id: 'ink-wash' }];
    expect(translate({ ...fields, loras })).toEqual({
      body: { ...fields, loras },
      ignored: [],
      responseFormat: 'b64_json',
      stream: false,
    });
  });

  it('loses the fields that change nothing, and names them', () => {
    const rendering = ['quality', 'style', 'background', 'output_compression', 'partial_images', 'input_fidelity'];
    const ignored = [...rendering, 'moderation', 'user', 'safety_identifier', 'store', 'complexity'];
    const sent = Object.fromEntries(ignored.map((name) => [name, 'any']));
    const translated = translate({ prompt: 'p', ...sent });
    expect([translated.body, translated.ignored.sort()]).toEqual([{ prompt: 'p' }, ignored.sort()]);
  });

  it('passes unknown fields on, so that a misspelt one is refused, and one that would change the content', () => {
    const unknown = { guidanse: 2, frame_count: 4, svg: {} };
    expect(translate({ prompt: 'p', ...unknown }).body).toEqual({ prompt: 'p', ...unknown });
  });

  it.each([
    ['dall-e-2', {}, 'url'],
    ['dall-e-3', { response_format: null }, 'url'],
    ['dall-e-3', { response_format: 'b64_json' }, 'b64_json'],
    ['gpt-image-2', {}, 'b64_json'],
    ['fast-image', {}, 'b64_json'],
  ])('comes for %s with %j as %s, as OpenAI answers', (named, fields, responseFormat) => {
    expect(translate({ prompt: 'p', model: named, ...fields })).toMatchObject({ responseFormat });
  });

  it.each([
    ['gpt-image-2-2026-04-21', 'general-image'],
    ['gpt-image-house', 'gpt-image-house'],
    ['gpt-image-fast-2', 'fast-image'],
    ['gpt-image', 'gpt-image'],
  ])('names for %s, of a family or not, the model %s', (named, model) => {
    const operation = 'image.generation' as const;
    const aliases = [
      { alias: 'gpt-image-*', operation, model: 'general-image' },
      { alias: 'gpt-image-fast-*', operation, model: 'fast-image' },
      { alias: 'gpt-image-house', operation, model: 'gpt-image-house' },
    ];
    expect(toImageGeneration({ prompt: 'p', model: named }, { ...OFFERED, aliases }).body['model']).toBe(model);
  });

  it('takes null for the optional fields of OpenAI only', () => {
    const nulls = { n: null, size: null, model: null, response_format: null, user: null, stream: null };
    expect(translate({ prompt: null, seed: null, ...nulls })).toMatchObject({
      body: { prompt: null, seed: null },
      ignored: [],
    });
  });

  it.each([
    ['no size', {}, undefined],
    ['auto', { size: 'auto' }, undefined],
    ['a listed size', { size: '1216x832' }, '1216x832'],
    ['another size', { size: '1792x1024' }, '1216x832'],
    ['another size for the model of an alias', { size: '1792x1024', model: 'dall-e-3' }, '512x512'],
    ['a number', { size: 1024 }, 1024],
  ])('gives the size of the model for %s', (_, fields, size) => {
    expect(translate({ prompt: 'p', ...fields }).body['size']).toBe(size);
  });

  it.each([
    ['dall-e-3', 'fast-image'],
    ['general-image', 'general-image'],
    ['unknown', 'unknown'],
    [7, 7],
  ])('names the model of %j', (sent, named) => {
    expect(translate({ prompt: 'p', model: sent }).body['model']).toBe(named);
  });

  it.each([
    ['response_format', { response_format: 'png' }],
    ['stream', { stream: 'yes' }],
  ])('is refused for a wrong %s', (param, fields) => {
    expect(() => translate({ prompt: 'p', ...fields })).toThrow(
      expect.objectContaining({ code: 'invalid_body', param }),
    );
  });

  it.each([[[]], ['text'], [null]])('is refused for %j', (received) => {
    expect(() => translate(received)).toThrow('The body must be a JSON object.');
  });
});

const LISTED = ['1024x1024', '1216x832', '832x1216', '1344x768', '512x512'];

describe('nearest size', () => {
  it.each([
    ['a listed size as it is', '512x512', '512x512'],
    ['the nearest ratio before the nearest area', '1536x1024', '1216x832'],
    ['the same ratio turned', '1024x1536', '832x1216'],
    ['of equal ratios the nearest area', '900x900', '1024x1024'],
    ['of equal ratios the nearest area, below', '600x600', '512x512'],
    ['a very wide one', '99999x1', '1344x768'],
    ['a text that is no size as it is', 'large', 'large'],
    ['a size without area as it is', '0x512', '0x512'],
  ])('is %s', (_, wanted, nearest) => {
    expect(nearestSize(wanted, LISTED)).toBe(nearest);
  });

  it('is the wanted one for a model without sizes', () => {
    expect(nearestSize('900x900', [])).toBe('900x900');
  });
});
