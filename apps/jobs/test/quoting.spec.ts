import { isDeepStrictEqual } from 'node:util';
import type { Operation, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { ImageSides } from '@kinora/contracts/jobs/image-input';
import { type CreateJobRequest, type QuotePriceRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { register } from '@kinora/metrics';
import { waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { QuoteTokens } from '../src/intake/quote-tokens';
import { useJobs } from './jobs-service.fixtures';
import { JobsConfig } from '../src/jobs.config';
import { ModelCache } from '../src/model/model-cache';

const LIST_PRICE = { micros: 20_000, per: 'image', micros_by_size: {} } as const;
const TEN_MINUTES_MS = 600_000;

type GenerationInput = Extract<CreateJobRequest, { kind: 'image.generation' }>['input'];

describe('a quote', () => {
  const jobs = useJobs();
  afterEach(() => setModel({}));

  const payer = (account_id = jobs.accountId) => ({ account_id, api_key_id: uuidv7() });
  const ask = (request: Partial<QuotePriceRequest> & Pick<QuotePriceRequest, 'kind' | 'input'>) =>
    jobs.bus.request(jobsRpc.quotePrice, { ...payer(), ...request } as QuotePriceRequest);
  const quote = (input: Partial<GenerationInput> = {}, account_id = jobs.accountId) =>
    ask({ kind: 'image.generation', input: { prompt: 'a calm sea', ...input }, account_id });
  const create = async (quoteId: string | null, input: Partial<GenerationInput> = {}, key?: string) => {
    const request: CreateJobRequest = {
      kind: 'image.generation',
      account_id: jobs.accountId,
      input: { prompt: 'another prompt', ...input },
      ...(quoteId !== null && { quote: quoteId }),
      ...(key !== undefined && { idempotency: { key, route: 'POST /images/generations', body_sha256: 'same' } }),
    };
    return jobs.bus.request(jobsRpc.create, request);
  };
  /** Resolves when the change of the model is in force. */
  const setModel = async (model: Partial<ResolvedModel>, ...of: [model?: string, operation?: Operation]) => {
    jobs.fakes.model = model;
    const [name = 'general-image', operation = 'image.generation'] = of;
    const current = () => jobs.service.get(ModelCache).resolve(name, operation);
    await waitFor(async () => isDeepStrictEqual({ ...(await current()), ...model }, await current()));
    const { price = LIST_PRICE } = model;
    await waitFor(async () => (await current()).price.micros === price.micros);
  };
  const setPrice = (price: object, ...of: [model?: string, operation?: Operation]) =>
    setModel({ price: { ...LIST_PRICE, ...price } }, ...of);
  const tokens = (quoteKey: string, quoteKeyAccepted = '') =>
    new QuoteTokens(Object.assign(new JobsConfig(), { quoteKey, quoteKeyAccepted }));

  it('is the price of the request, for ten minutes, and leaves no trace', async () => {
    const before = { reserves: jobs.fakes.reserveCalls, texts: jobs.fakes.screenedTexts.length };
    const { id, expires_at, ...quoted } = await quote({ n: 3 });
    expect(quoted).toEqual({
      price: { micros: 60_000, usd: 0.06, per: 'image', quantity: 3 },
      refusals: [],
      eta_seconds: null,
    });
    expect(id).toMatch(/^quo_[\w-]+\.[\w-]{43}$/);
    expect(id?.length).toBeLessThan(250);
    const leftMs = Date.parse(expires_at ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(TEN_MINUTES_MS - 10_000);
    expect(leftMs).toBeLessThanOrEqual(TEN_MINUTES_MS);
    expect({ reserves: jobs.fakes.reserveCalls, texts: jobs.fakes.screenedTexts.length }).toEqual(before);
    expect((await jobs.bus.request(jobsRpc.list, { account_id: uuidv7(), limit: 1 })).data).toEqual([]);
  });

  it('holds its price although the price list has changed, and the operator sees the difference', async () => {
    const { id } = await quote({ n: 2 });
    await setPrice({ micros: 50_000 });
    const { job } = await create(id, { n: 2, seed: 7 });
    expect(job.usage.charged_micros).toBe(40_000);
    expect(jobs.fakes.holds.get(job.id)).toMatchObject({ amount_micros: 40_000 });
    expect((await create(null, { n: 2 })).job.usage.charged_micros).toBe(100_000);

    const receipt = await waitFor(() =>
      jobs.bus.request(jobsRpc.getReceipt, { account_id: jobs.accountId, job_id: job.id }).catch(() => null),
    );
    expect(receipt.payload.price).toEqual({
      micros: 40_000,
      currency: 'USD',
      unit_micros: 20_000,
      per: 'image',
      quantity: 2,
      source: 'quote',
      quote_id: id,
    });
    const sales = {
      model: 'general-image',
      jobs: 1,
      quoted_micros: 40_000,
      list_micros: 100_000,
      shortfall_micros: 60_000,
    };
    const of = (request: object) => jobs.bus.request(jobsAdminRpc.listQuoteSales, request);
    expect((await of({})).data).toEqual([{ day: job.created_at.slice(0, 10), ...sales }]);
    expect((await of({ account_id: uuidv7() })).data).toEqual([]);
    expect((await of({ since: new Date(Date.now() + 60_000).toISOString() })).data).toEqual([]);
    const metrics = await register.metrics();
    expect(metrics).toContain('kinora_jobs_quoted_total{model="general-image",held="below"} 1');
    expect(metrics).toContain('kinora_jobs_quote_shortfall_micros_total{model="general-image"} 60000');
    await expect(of({ since: 'yesterday' })).rejects.toMatchObject({ code: 'invalid_body', param: 'since' });
  });

  it('is the price of the group of the account, as is its job, and both name what the operator has set', async () => {
    jobs.fakes.groupPrices.set('resellers', { ...LIST_PRICE, micros: 16_000, price_changes: [3, 8] });
    const account = { price_group: 'resellers', account_id: jobs.accountId };
    const request = { kind: 'image.generation', input: { prompt: 'a calm sea', n: 2 }, ...account } as const;
    const { id, price } = await ask(request);
    expect(price).toMatchObject({ micros: 32_000 });
    jobs.fakes.groupPrices.clear();
    const held = await jobs.bus.request(jobsRpc.create, { ...request, ...(id !== null && { quote: id }) });
    expect(held.job.usage.charged_micros).toBe(32_000);
    const { price: explained } = await jobs.bus.request(jobsRpc.show, { job_id: held.job.id });
    expect(explained).toMatchObject({ unit_micros: 16_000, quantity: 2, source: 'quote', price_changes: [3, 8] });
    const receipt = await waitFor(() =>
      jobs.bus.request(jobsRpc.getReceipt, { ...account, job_id: held.job.id }).catch(() => null),
    );
    expect(receipt.payload.price).toEqual(explained);
    const { job } = await jobs.bus.request(jobsRpc.create, { ...request, ...account, account_id: jobs.accountId });
    expect([32_000, 40_000]).toContain(job.usage.charged_micros);
  });

  it('holds its price also where the price list has fallen', async () => {
    const { id } = await quote();
    await setPrice({ micros: 5_000 });
    expect((await create(id)).job.usage.charged_micros).toBe(20_000);
  });

  it('is refused for another operation, and for a request with another price', async () => {
    const { id } = await quote();
    const mismatch = { code: 'quote_mismatch', param: 'X-Service-Quote', status: 400 };
    const before = jobs.fakes.reserveCalls;
    await expect(create(id, { n: 2 })).rejects.toMatchObject(mismatch);
    const video = await ask({ kind: 'video.generation', input: {}, image_count: 1 });
    await expect(create(video.id)).rejects.toMatchObject(mismatch);
    await setPrice({ micros_by_size: { '100x128': 25_000 } });
    await expect(create(id, { size: '100x128' })).rejects.toMatchObject(mismatch);
    expect(jobs.fakes.reserveCalls).toBe(before);
    // Before any image is read, and before the balance is compared with a price that the request does not have.
    jobs.fakes.fundsMicros = 1;
    const checked = jobs.bus.request(jobsRpc.quote, {
      ...{ kind: 'image.edit', input: { prompt: 'p' }, image_count: 1, ...payer() },
      ...(id !== null && { quote: id }),
    });
    await expect(checked).rejects.toMatchObject(mismatch);
    jobs.fakes.fundsMicros = Number.MAX_SAFE_INTEGER;
    expect((await create(id, { model: 'another-model' })).job.usage.charged_micros).toBe(20_000);
    await setPrice({ micros: 30_000 }, 'another-model');
    await expect(create(id, { model: 'another-model' })).rejects.toMatchObject(mismatch);
  });

  it('is unknown once it has expired, to another account, if it is changed, and if it was never issued', async () => {
    const expired = { code: 'quote_expired', param: 'X-Service-Quote', status: 400 };
    const { id } = await quote();
    const [text = '', mac = ''] = (id ?? '').slice('quo_'.length).split('.');
    const cheap = Buffer.from(Buffer.from(text, 'base64url').toString().replace('20000', '1')).toString('base64url');
    const other = await quote({}, uuidv7());
    const late = jobs.service.get(QuoteTokens).issue(jobs.accountId, {
      kind: 'image.generation',
      model: 'general-image',
      size: '128x100',
      price: { unit_micros: 20_000, per: 'image', quantity: 1 },
      expiresAtMs: Date.now() - 1,
    });
    const forged = [`quo_${cheap}.${mac}`, other.id, late, 'quo_x', '', `quo_${text}.${mac}${mac}`, `quo_${text}`];
    for (const token of forged) await expect(create(token)).rejects.toMatchObject(expired);
    await expect(create(id)).resolves.toMatchObject({ replayed: false });
    const edit = { kind: 'image.edit', input: { prompt: 'p' }, image_count: 1, quote: late } as const;
    await expect(jobs.bus.request(jobsRpc.quote, { ...payer(), ...edit })).rejects.toMatchObject(expired);
  });

  it('stays valid while its key is rotated, and not afterwards', () => {
    const [old, next] = ['o'.repeat(32), 'n'.repeat(32)];
    const price = { unit_micros: 1, per: 'image', quantity: 1 } as const;
    const held = { kind: 'image.edit', model: 'm', size: null, price, expiresAtMs: Date.now() + 60_000 } as const;
    const issued = tokens(old).issue('account', held);
    expect(tokens(next, old).read('account', issued)).toEqual(held);
    expect(tokens(old, next).read('account', tokens(next).issue('account', held))).toEqual(held);
    expect(() => tokens(next).read('account', issued)).toThrow(ApiError);
    expect(() => tokens(next, old).read('another account', issued)).toThrow(ApiError);
  });

  it('of a request that would be refused gives every reason, and the price if it is known', async () => {
    expect(await quote({ size: '999x999' })).toEqual({
      id: null,
      price: null,
      refusals: [{ code: 'invalid_body', param: 'size', message: expect.any(String) as string }],
      eta_seconds: null,
      expires_at: null,
    });
    jobs.fakes.fundsMicros = 1;
    await setModel({ routes: [{ provider: 'unknown', weight: 1 }], max_backlog: 0 });
    const { price, refusals } = await quote();
    jobs.fakes.fundsMicros = Number.MAX_SAFE_INTEGER;
    expect(price?.micros).toBe(20_000);
    expect(refusals.map(({ code, param }) => [code, param])).toEqual([
      ['capacity', null],
      ['capacity', null],
      ['insufficient_balance', null],
    ]);
  });

  it('of an edit needs a size only where the price depends on it', async () => {
    const edit = (input: object) => ask({ kind: 'image.edit', input: { prompt: 'p', ...input }, image_count: 1 });
    expect((await edit({})).price).toEqual({ micros: 20_000, usd: 0.02, per: 'image', quantity: 1 });
    await setPrice({ micros_by_size: { '512x512': 90_000 } }, 'image-edit', 'image.edit');
    const { id: none, refusals } = await edit({});
    expect(none).toBeNull();
    expect(refusals).toMatchObject([{ code: 'invalid_body', param: 'size' }]);
    expect((await edit({ size: '512x512' })).price?.micros).toBe(90_000);
    expect((await edit({ size: '512x500' })).price?.micros).toBe(20_000);
    const of = (first_image: ImageSides) =>
      ask({ kind: 'image.edit', input: { prompt: 'p' }, image_count: 2, first_image });
    expect((await of({ width: 512, height: 512 })).price?.micros).toBe(90_000);
    expect((await of({ width: 512, height: 500 })).price?.micros).toBe(20_000);
  });

  it('of a video is the price of its seconds, for any start frame', async () => {
    const { id, price } = await ask({ kind: 'video.generation', input: { duration: 8 }, image_count: 1 });
    expect(price).toEqual({ micros: 160_000, usd: 0.16, per: 'second', quantity: 8 });
    await setPrice({ micros: 40_000, per: 'second' }, 'image-to-video', 'video.generation');
    jobs.worker.stateOnSubmit = 'running';
    const { usage, id: jobId } = await jobs.animate({ duration: 8 }, { quote: id ?? '' });
    await jobs.cancel(jobId);
    jobs.worker.stateOnSubmit = 'succeeded';
    expect(usage.charged_micros).toBe(160_000);
  });

  it('of a video whose price depends on the size needs the sides of its start frame, and holds that price', async () => {
    const video = (first_image?: ImageSides) =>
      ask({ kind: 'video.generation', input: {}, image_count: 1, ...(first_image && { first_image }) });
    const price = { micros: 40_000, per: 'second', micros_by_size: { '128x96': 70_000 } };
    await setPrice(price, 'image-to-video', 'video.generation');
    const unknown = await video();
    expect([unknown.id, unknown.price]).toEqual([null, null]);
    expect(unknown.refusals).toMatchObject([{ code: 'invalid_body', param: 'image' }]);
    expect((await video({ width: 500, height: 500 })).price?.micros).toBe(200_000);
    const { id, price: quoted } = await video({ width: 129, height: 97 });
    expect(quoted).toEqual({ micros: 350_000, usd: 0.35, per: 'second', quantity: 5 });

    await setPrice({ ...price, micros: 41_000, micros_by_size: {} }, 'image-to-video', 'video.generation');
    jobs.worker.stateOnSubmit = 'running';
    const { usage, id: jobId } = await jobs.animate({}, { quote: id ?? '' });
    await jobs.cancel(jobId);
    jobs.worker.stateOnSubmit = 'succeeded';
    expect(usage.charged_micros).toBe(350_000);
  });

  it('does not matter to a replay, and a resumed request keeps the price that it has held', async () => {
    const key = uuidv7();
    const { id } = await quote();
    const first = await create(id, {}, key);
    for (const other of [null, 'quo_unknown', id])
      expect(await create(other, {}, key)).toMatchObject({ replayed: true, job: { id: first.job.id } });

    const resumed = uuidv7();
    jobs.fakes.loseReserveReply = true;
    await expect(create(id, {}, resumed)).rejects.toMatchObject({ code: 'capacity' });
    jobs.fakes.loseReserveReply = false;
    await setPrice({ micros: 70_000 });
    const { job } = await create(id, {}, resumed);
    expect(job.usage.charged_micros).toBe(20_000);
    expect([...jobs.fakes.holds.keys()].filter((held) => held === job.id)).toHaveLength(1);
  });

  it('that is refused frees the Idempotency-Key for the next quote', async () => {
    const key = uuidv7();
    await expect(create('quo_unknown', {}, key)).rejects.toMatchObject({ code: 'quote_expired' });
    expect(await create((await quote()).id, {}, key)).toMatchObject({ replayed: false });
  });
});
