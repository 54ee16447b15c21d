import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import { expectEnvelope, expectHeaders } from './resources';
import { aBoolean, aNumber, aText, anInteger, listOf, oneOf } from './shapes';
import type { TestBed } from './test-bed';

const CAPABILITIES = {
  t2i: aBoolean,
  edit: aBoolean,
  img2img: aBoolean,
  inpaint: aBoolean,
  i2v: aBoolean,
  sizes: listOf((size) => /^\d{3,4}x\d{3,4}$/.test(String(size))),
  durations: listOf(Number.isInteger),
  fps: aNumber,
  max_n: anInteger,
  max_refs: anInteger,
  steps: { min: aNumber, max: aNumber, default: aNumber },
  guidance: { min: aNumber, max: aNumber, default: aNumber },
  output_side: { min: aNumber, max: aNumber },
  loras: oneOf('url', 'catalog'),
};

export function describeModels(testBed: TestBed): void {
  describe('GET /models', () => {
    it('each has every field of the table, and no capability outside of the table', async () => {
      const { status, body, headers } = await testBed.client.get<{ object: string; data: Model[] }>('/models');
      expect([status, Object.keys(body).sort(), body.object]).toEqual([200, ['data', 'object'], 'list']);
      expectHeaders(headers);
      for (const { capabilities, price, ...model } of body.data) {
        expect(model).toEqual({
          id: aText,
          object: 'model',
          type: oneOf('image', 'video'),
          label: aText,
          description: aText.orNull(),
          license: aText.orNull(),
        });
        const { sandbox, ...known } = capabilities;
        expect(sandbox).toBe(true);
        const named = Object.keys(known) as (keyof typeof CAPABILITIES)[];
        expect(known).toEqual(Object.fromEntries(named.map((name) => [name, CAPABILITIES[name]])));
        const { note, ...rest } = price ?? {};
        expect(typeof (note ?? '')).toBe('string');
        const per = oneOf('image', 'second');
        if (price !== null) expect(rest).toEqual({ micros: anInteger, usd: price.micros / 1e6, unit: 'usd', per });
      }
    });

    it.each(['general-image', 'image-edit', 'fast-image'])('%s exists, with all its applicable fields', (id) => {
      const { capabilities, type } = testBed.models.get(id) ?? {};
      expect(type).toBe('image');
      const names = ['t2i', 'edit', 'img2img', 'inpaint', 'i2v', 'max_n', 'max_refs'];
      expect(Object.keys(capabilities ?? {})).toEqual(expect.arrayContaining(names));
    });
  });
}

export function describeLoras(testBed: TestBed): void {
  describe('GET /loras', () => {
    const lora = {
      id: aText,
      object: 'lora',
      compatible_models: listOf((id) => typeof id === 'string'),
      label: aText,
      description: aText.orNull(),
      default_strength: aNumber,
      triggers: aText.orNull(),
      license: aText.orNull(),
    };
    it.each([
      ['', {}],
      ['?model=general-image', { model: 'general-image', byo_urls: false }],
      ['?model=image-edit', { model: 'image-edit', byo_urls: false }],
    ])('%s has every field of the table', async (query, beside) => {
      const { status, body, headers } = await testBed.client.get<LoraList>(`/loras${query}`);
      expect([status, { ...body, data: [] }]).toEqual([200, { object: 'list', data: [], ...beside }]);
      expectHeaders(headers);
      for (const each of body.data) expect(each).toEqual(lora);
      const accepted = body.data.filter(({ compatible_models }) => compatible_models.includes(query.slice(7)));
      if (query !== '') expect(accepted).toEqual(body.data);
    });

    it.each(['nobody', '', '😀'.repeat(64), 'a'.repeat(65)])(
      'an unknown model is an invalid parameter: %j',
      async (model) => {
        const answer = await testBed.client.get(`/loras?model=${encodeURIComponent(model)}`);
        expectEnvelope(answer, { status: 400, code: 'model_unavailable', param: 'model' });
      },
    );
  });
}
