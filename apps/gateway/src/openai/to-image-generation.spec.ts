import type { Model } from '@kinora/contracts/catalog/model';
import { toImageGeneration } from './to-image-generation';

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
    const ignored = ['quality', 'style', 'background', 'moderation', 'user', 'output_compression', 'partial_images'];
    const sent = Object.fromEntries(ignored.map((name) => [name, 'any']));
    expect(translate({ prompt: 'p', ...sent })).toMatchObject({ body: { prompt: 'p' }, ignored });
  });

  it('passes unknown fields on, so that a misspelt one is refused', () => {
    expect(translate({ prompt: 'p', guidanse: 2 }).body).toEqual({ prompt: 'p', guidanse: 2 });
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
