import type { Account } from '@kinora/contracts/billing/account';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import type { JobList } from '@kinora/contracts/jobs/job';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { ApiClient } from '../../support/api-client';
import { openAccount } from '../../support/operator';
import { expectEnvelope, expectHeaders, expectJob } from './resources';
import { aBoolean, aDateTime, aDay, aNumber, aText, aUuid, anInteger, listOf, oneOf } from './shapes';
import { DELAY, type Stand } from './stand';

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
  loras: oneOf('url', 'catalog'),
};

const COUNTERS = {
  jobs: anInteger,
  succeeded: anInteger,
  failed: anInteger,
  canceled: anInteger,
  in_flight: anInteger,
  charged_micros: anInteger,
  charged_usd: aNumber,
  gpu_ms: anInteger,
};

export function describeAccountResources(stand: Stand): void {
  describe('GET /jobs', () => {
    it.each(['limit=1', 'limit=100', 'limit=%31', `model=${encodeURIComponent('😀'.repeat(64))}`, 'status=failed', ''])(
      '?%s is a page',
      async (query) => {
        const { status, body, headers } = await stand.client.get<JobList>(`/jobs?${query}`);
        expect([status, body]).toEqual([
          200,
          { object: 'list', data: expect.any(Array) as unknown, has_more: aBoolean, next_cursor: aText.orNull() },
        ]);
        expectHeaders(headers);
        body.data.forEach(expectJob);
        expect(body.has_more).toBe(body.next_cursor !== null);
      },
    );

    it('pages through all jobs, newest first, none twice, while others arrive', async () => {
      const { client } = await openAccount(stand.stack);
      const created: string[] = [];
      for (let job = 0; job < 5; job++) created.unshift((await client.generate({ prompt: DELAY })).id);
      const seen: string[] = [];
      for (let path: string | null = '/jobs?limit=2'; path !== null;) {
        const { body }: { body: JobList } = await client.get<JobList>(path);
        seen.push(...body.data.map(({ id }) => id));
        await client.generate({ prompt: DELAY });
        path = body.next_cursor === null ? null : `/jobs?limit=2&cursor=${body.next_cursor}`;
        expect((body.next_cursor ?? '').length).toBeLessThanOrEqual(200);
      }
      expect(seen).toEqual(created);
      expect((await client.get<JobList>('/jobs?status=succeeded')).body.data).toEqual([]);
      expect((await client.get<JobList>('/jobs?model=nobody')).body.data).toEqual([]);
      expect((await client.get<JobList>('/jobs?model=general-image')).body.data).toHaveLength(8);
    });

    it('a cursor of another account opens nothing', async () => {
      const [one, other] = [(await openAccount(stand.stack)).client, (await openAccount(stand.stack)).client];
      for (let job = 0; job < 2; job++) await one.generate({ prompt: DELAY });
      const { next_cursor } = (await one.get<JobList>('/jobs?limit=1')).body;
      const answer = await other.get<JobList>(`/jobs?cursor=${next_cursor}`);
      expect(answer.body.data ?? []).toEqual([]);
    });
  });

  describe('GET /usage', () => {
    it.each(['', 'group_by=day', 'group_by=model', 'from=2026-01-01&to=2026-01-02', 'from=2020-01-01&to=2026-01-01'])(
      '?%s has every field',
      async (query) => {
        const { status, body } = await stand.client.get<Usage>(`/usage?${query}`);
        const group = query.includes('model') ? { model: aText } : { day: aDay };
        expect([status, body]).toEqual([
          200,
          {
            object: 'usage',
            from: aDateTime,
            to: aDateTime,
            group_by: query.includes('model') ? 'model' : 'day',
            total: COUNTERS,
            data: listOf((each) => (expect(each).toEqual({ ...group, ...COUNTERS }), true)),
            truncated: query.includes('2020'),
          },
        ]);
        for (const counter of Object.keys(COUNTERS) as (keyof typeof COUNTERS)[]) {
          const sum = body.data.reduce((total, each) => total + each[counter], 0);
          expect(body.total[counter]).toBeCloseTo(sum, 6);
        }
      },
    );

    it.each([
      ['2026-11-20', '2026-11-20T00:00:00'],
      ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00'],
      ['2026-11-20T10:00:00.250z', '2026-11-20T10:00:00.25'],
      ['2026-11-20T10:00:00%2B01:00', '2026-11-20T09:00:00'],
      ['2026-11-20T10:00:00-11:30', '2026-11-20T21:30:00'],
    ])('from %s is taken exactly', async (from, instant) => {
      const { body } = await stand.client.get<Usage>(`/usage?from=${from}&to=2026-12-20`);
      expect(body.from).toContain(instant);
    });

    it('covers thirty days where nothing is said', async () => {
      const { from, to } = (await stand.client.get<Usage>('/usage')).body;
      expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeCloseTo(30, 1);
      expect(Math.abs(Date.now() - Date.parse(to))).toBeLessThan(60_000);
    });
  });

  describe('GET /models', () => {
    it('each has every field of the table, and no capability that the table does not know', async () => {
      const { status, body, headers } = await stand.client.get<{ object: string; data: Model[] }>('/models');
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

    it.each(['general-image', 'image-edit', 'fast-image'])('%s is there, with all that means something', (id) => {
      const { capabilities, type } = stand.models.get(id) ?? {};
      expect(type).toBe('image');
      const names = ['t2i', 'edit', 'img2img', 'inpaint', 'i2v', 'max_n', 'max_refs'];
      expect(Object.keys(capabilities ?? {})).toEqual(expect.arrayContaining(names));
    });
  });

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
      const { status, body, headers } = await stand.client.get<LoraList>(`/loras${query}`);
      expect([status, { ...body, data: [] }]).toEqual([200, { object: 'list', data: [], ...beside }]);
      expectHeaders(headers);
      for (const each of body.data) expect(each).toEqual(lora);
      const accepted = body.data.filter(({ compatible_models }) => compatible_models.includes(query.slice(7)));
      if (query !== '') expect(accepted).toEqual(body.data);
    });

    it.each(['nobody', '', '😀'.repeat(64)])('an unknown model is a wrong parameter: %j', async (model) => {
      const answer = await stand.client.get(`/loras?model=${encodeURIComponent(model)}`);
      expectEnvelope(answer, { status: 400, code: 'model_unavailable', param: 'model' });
    });
  });

  describe('GET /account', () => {
    it('has every field of the table', async () => {
      const { status, body, headers } = await stand.client.get<Account>('/account');
      expect([status, body]).toEqual([
        200,
        {
          object: 'account',
          id: aUuid,
          name: 'e2e',
          status: 'active',
          currency: 'USD',
          balance_micros: anInteger,
          balance_usd: body.balance_micros / 1_000_000,
          rate_limit_rpm: 1_000_000,
          max_concurrent_jobs: 1_000,
          retention_days: 7,
          auto_recharge: { enabled: aBoolean, threshold_usd: aNumber.orNull(), amount_usd: aNumber.orNull() },
          webhook_signing_configured: true,
          api_key: { id: aText, name: aText, prefix: aText },
          created_at: aDateTime,
        },
      ]);
      expect(body.api_key.prefix).toMatch(/^knr_live_.{1,12}$/);
      expectHeaders(headers);
    });
  });

  describe('GET /ping', () => {
    it('needs no key, and has every field of the table', async () => {
      const response = await fetch(`${stand.client.baseUrl}/ping`);
      const body = (await response.json()) as Record<string, unknown>;
      expect([response.status, body]).toEqual([
        200,
        { ok: true, service: 'kinora', version: '1.0.0', time: aDateTime },
      ]);
      expectHeaders(response.headers);
    });

    it('is answered whatever key is sent', async () => {
      const stranger = new ApiClient(stand.client.baseUrl, 'nonsense');
      expect((await stranger.get('/ping')).status).toBe(200);
    });
  });
}
