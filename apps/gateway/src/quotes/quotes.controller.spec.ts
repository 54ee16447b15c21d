import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Account } from '@kinora/contracts/billing/account';
import { type QuotedPrice, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Quote } from '@kinora/contracts/jobs/quote';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { greyPng, toDataUri } from '../../test/image.fixtures';

const testBed = useGateway();
const { contexts } = testBed;
const { account_id, api_key_id } = ADMISSION;
const PAYER = { account_id, api_key_id };
const PRICED: QuotedPrice = {
  id: 'quo_a.b',
  price: { micros: 20_000, usd: 0.02, per: 'image', quantity: 1 },
  refusals: [],
  eta_seconds: null,
  expires_at: '2026-11-22T09:10:00.000Z',
};

beforeEach(() => {
  contexts.on(jobsRpc.quotePrice, () => PRICED);
  contexts.on(billingRpc.getAccount, () => ({ balance_micros: 15_000 }) as Account);
});

const ask = (operation: unknown, request: unknown) =>
  testBed.client.send('POST', '/v1/quotes', { json: { operation, request } });
const quote = async (operation: string, request: object) => {
  const { status, json } = await ask(operation, request);
  expect(status).toBe(200);
  return json<Quote>();
};

describe('POST /v1/quotes', () => {
  it('is the price by jobs, with the balance that it would leave', async () => {
    expect(await quote('images.generations', { prompt: 'a fox', n: 1, metadata: { a: 'b' } })).toEqual({
      object: 'quote',
      ...PRICED,
      operation: 'images.generations',
      model: 'general-image',
      balance_after_micros: -5_000,
      would_be_accepted: true,
    });
    expect(contexts.of(jobsRpc.quotePrice)).toEqual([
      { ...PAYER, kind: 'image.generation', input: { prompt: 'a fox', n: 1 } },
    ]);
    expect(contexts.of(billingRpc.admit)).toHaveLength(1);
  });

  it('is, as every price, that of the group of the account', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, price_group: 'resellers' }));
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
    contexts.on(jobsRpc.quote, () => ({ price_micros: 1 }));
    await quote('images.generations', { prompt: 'a fox' });
    await testBed.client.send('GET', '/v1/models');
    await testBed.client.send('POST', '/v1/images/generations', { json: { prompt: 'a fox' } });
    const image = toDataUri(greyPng(80, 64));
    await testBed.client.send('POST', '/v1/images/edits', { json: { prompt: 'warmer', image } });
    const asked = [jobsRpc.quotePrice, catalogRpc.listModels, jobsRpc.quote, jobsRpc.create].map((contract) =>
      contexts.of(contract as typeof catalogRpc.listModels).map(({ price_group }) => price_group),
    );
    expect(asked).toEqual([['resellers'], ['resellers'], ['resellers'], ['resellers', 'resellers']]);
  });

  it('needs no image, and reads none', async () => {
    const image = toDataUri(greyPng(80, 64));
    await quote('images.edits', { prompt: 'warmer' });
    await quote('images.edits', { prompt: 'warmer', image, images: ['https://nowhere.example/b.png'] });
    await quote('videos.generations', { duration: 8 });
    await quote('videos.generations', { duration: 8, image });
    const video = { ...PAYER, kind: 'video.generation', input: { duration: 8 }, image_count: 1 };
    const edit = { ...PAYER, kind: 'image.edit', input: { prompt: 'warmer' } };
    expect(contexts.of(jobsRpc.quotePrice)).toEqual([
      { ...edit, image_count: 1 },
      { ...edit, image_count: 2 },
      video,
      video,
    ]);
  });

  it('takes the sides of an image in its place, from which the size of the result follows', async () => {
    const sides = { width: 1280, height: 720 };
    const other = { width: 64, height: 4096 };
    await quote('videos.generations', { image: sides });
    await quote('images.edits', { prompt: 'p', image: sides, images: [other] });
    await quote('images.edits', { prompt: 'p', images: [other, sides] });
    await quote('images.edits', { prompt: 'p', image: 'https://nowhere.example/a.png', images: [sides] });
    const edit = { ...PAYER, kind: 'image.edit', input: { prompt: 'p' }, image_count: 2 };
    expect(contexts.of(jobsRpc.quotePrice)).toEqual([
      { ...PAYER, kind: 'video.generation', input: {}, image_count: 1, first_image: sides },
      { ...edit, first_image: sides },
      { ...edit, first_image: other },
      edit,
    ]);
  });

  it('takes null for a field that was left out', async () => {
    await quote('videos.generations', { image: null, prompt: null });
    await quote('images.edits', { prompt: 'p', image: null, images: null });
    expect(contexts.of(jobsRpc.quotePrice)).toEqual([
      { ...PAYER, kind: 'video.generation', input: {}, image_count: 1 },
      { ...PAYER, kind: 'image.edit', input: { prompt: 'p' }, image_count: 1 },
    ]);
  });

  it.each([
    ['videos.generations', { image: { width: 63, height: 720 } }, 'image.width'],
    ['videos.generations', { image: { width: 1280 } }, 'image.height'],
    ['videos.generations', { image: { width: 1280, height: 720, mime: 'image/png' } }, 'image.mime'],
    ['images.edits', { prompt: 'p', images: [{ width: 64, height: 4097 }] }, 'images[0].height'],
    ['images.edits', { prompt: 'p', images: Array(4).fill({ width: 64, height: 64 }) }, 'images'],
    ['images.generations', { prompt: 'p', image: { width: 64, height: 64 } }, 'image'],
  ])('%s of %j is refused for %s', async (operation, request, param) => {
    const { refusals, price } = await quote(operation, request);
    expect([refusals.map((refusal) => [refusal.code, refusal.param]), price]).toEqual([
      [['invalid_body', param]],
      null,
    ]);
  });

  it('names every refusal, in the order of the checks of a creation', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: 'paused' }));
    const short = { code: 'insufficient_balance', param: null, message: 'Too little.' };
    contexts.on(jobsRpc.quotePrice, () => ({ ...PRICED, refusals: [short] }));
    const { would_be_accepted, refusals, price } = await quote('images.generations', { prompt: 'a fox' });
    expect([would_be_accepted, refusals.map(({ code }) => code)]).toEqual([
      false,
      ['account_paused', 'insufficient_balance'],
    ]);
    expect(price).toEqual(PRICED.price);
  });

  it.each([
    ['images.generations', { prompt: '' }, ['invalid_body', 'prompt']],
    ['images.generations', { prompt: 'a', promt: 'b' }, ['invalid_body', 'promt']],
    ['images.generations', { prompt: 'a', webhook_url: 'http://a.example' }, ['invalid_body', 'webhook_url']],
    ['images.generations', { prompt: 'a', model: 'image-edit' }, ['model_not_allowed', 'model']],
    ['images.edits', { prompt: 'a', image: 'x', images: ['x', 'x', 'x'] }, ['invalid_body', 'images']],
    ['videos.generations', { image: 7 }, ['invalid_body', 'image']],
  ])('%s of %j has the refusal of its creation', async (operation, request, [code, param]) => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, allowed_models: ['general-image', 'image-to-video'] }));
    const { refusals, would_be_accepted, ...rest } = await quote(operation, request);
    expect(would_be_accepted).toBe(false);
    expect(refusals.map((refusal) => [refusal.code, refusal.param])).toContainEqual([code, param]);
    if (code === 'invalid_body')
      expect(rest).toMatchObject({ id: null, price: null, balance_after_micros: null, expires_at: null });
    const path = `/v1/${operation.replace('.', '/')}`;
    const { error } = await testBed.client.send('POST', path, { json: request });
    expect(refusals[0]).toEqual({ code: error.code, param: error.param ?? null, message: error.message });
  });

  it.each([
    ['operation', 'images.variations', {}],
    ['operation', undefined, {}],
    ['request', 'images.edits', 'text'],
    ['request', 'images.edits', undefined],
  ])('is refused itself for a wrong %s: %j, %j', async (param, operation, request) => {
    const { status, error } = await ask(operation, request);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_body', param]);
  });

  it('repeats no more of a model than a model may have', async () => {
    const { model } = await quote('images.generations', { prompt: 'a', model: 'm'.repeat(10_000) });
    expect(model).toHaveLength(64);
  });

  it('is 503 while jobs or billing does not answer, and 401 without a key', async () => {
    contexts.on(billingRpc.getAccount, fail('capacity', 'Billing is not available.'));
    expect((await ask('images.generations', { prompt: 'a' })).status).toBe(503);
    expect((await testBed.client.sendBare('POST', '/v1/quotes')).status).toBe(401);
  });
});

describe('X-Service-Quote', () => {
  const headers = { 'X-Service-Quote': 'quo_a.b' };

  it('goes to jobs with each creation, and with the check before images are read', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
    contexts.on(jobsRpc.quote, () => ({ price_micros: 1 }));
    const image = toDataUri(greyPng(80, 64));
    await testBed.client.send('POST', '/v1/images/generations', { headers, json: { prompt: 'a fox' } });
    await testBed.client.send('POST', '/v1/images/edits', { headers, json: { prompt: 'a fox', image } });
    await testBed.client.send('POST', '/v1/videos/generations', { headers, json: { image } });
    expect(contexts.of(jobsRpc.create).map((request) => request.quote)).toEqual(Array(3).fill('quo_a.b'));
    expect(contexts.of(jobsRpc.quote).map((request) => request.quote)).toEqual(Array(2).fill('quo_a.b'));
  });

  it('sent twice is no quote', async () => {
    contexts.on(jobsRpc.create, fail('quote_expired', 'Unknown.', { param: 'X-Service-Quote' }));
    const twice = { 'X-Service-Quote': ['quo_a.b', 'quo_c.d'] };
    const { status, error } = await testBed.client.send('POST', '/v1/images/generations', {
      headers: twice,
      json: { prompt: 'a fox' },
    });
    expect([status, error.code, error.param]).toEqual([400, 'quote_expired', 'X-Service-Quote']);
    expect(contexts.of(jobsRpc.create)[0]?.quote).toBe('quo_a.b, quo_c.d');
  });
});
