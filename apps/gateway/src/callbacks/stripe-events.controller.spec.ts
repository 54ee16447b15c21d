import Stripe from 'stripe';
import { paymentEventRpc } from '@kinora/contracts/billing/checkout.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { useGateway } from '../../test/gateway.fixtures';

const SECRET = 'whsec_of_this_spec';
const PATH = '/stripe/webhooks';

const eventOf = (changes: object = {}) =>
  JSON.stringify({
    ...{ id: 'evt_1', object: 'event', type: 'checkout.session.completed', created: 1 },
    data: { object: { id: 'cs_test_1', object: 'checkout.session', amount_total: 1 } },
    ...changes,
  });

const sign = (payload: string, { secret = SECRET, ageSeconds = 0 } = {}) => ({
  'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
  }),
});

describe("a webhook of Stripe's", () => {
  const testBed = useGateway({ KINORA_STRIPE_WEBHOOK_SECRET: SECRET });
  const received = () => testBed.contexts.of(paymentEventRpc.receive);
  const send = (payload: string, headers: Record<string, string> = sign(payload)) =>
    testBed.client.sendBare('POST', PATH, { 'Content-Type': 'application/json; charset=utf-8', ...headers }, payload);

  beforeEach(() => testBed.contexts.on(paymentEventRpc.receive, () => ({ handled: true })));

  it('reaches billing as the type and the id of what has changed', async () => {
    const answer = await send(eventOf());
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(received()).toEqual([{ provider: 'stripe', type: 'checkout.session.completed', object_id: 'cs_test_1' }]);
  });

  it('that is repeated, or of something unknown, is taken as well, so that Stripe stops', async () => {
    testBed.contexts.on(paymentEventRpc.receive, () => ({ handled: false }));
    const [first, second] = [await send(eventOf()), await send(eventOf())];
    expect([first.status, second.status, received().length]).toEqual([200, 200, 2]);
  });

  it.each([
    ['is not signed', {}],
    ['is signed by another secret', sign(eventOf(), { secret: 'whsec_of_another_account' })],
    ['was signed long ago', sign(eventOf(), { ageSeconds: 600 })],
    ['is signed for another body', sign(eventOf({ id: 'evt_2' }))],
    ['has a signature that is none', { 'Stripe-Signature': 't=1,v1=x' }],
  ])('that %s is refused', async (_, headers) => {
    const { status, error } = await send(eventOf(), headers);
    expect([status, error.code]).toEqual([400, 'invalid_body']);
    expect(received()).toEqual([]);
  });

  it.each([
    ['of a connected account', eventOf({ account: 'acct_other' })],
    ['that is thin', eventOf({ data: undefined })],
    ['that is no event', 'null'],
  ])('%s is taken, and goes no further', async (_, event) => {
    expect((await send(event)).status).toBe(200);
    expect(received()).toEqual([]);
  });

  it('is repeated by Stripe while billing is away', async () => {
    testBed.contexts.on(paymentEventRpc.receive, () => {
      throw ApiError.unavailable('Billing');
    });
    expect((await send(eventOf())).status).toBe(503);
  });

  it('has a size limit', async () => {
    const large = eventOf({ padding: 'x'.repeat(1024 * 1024) });
    const { status, error } = await send(large);
    expect([status, error.code]).toEqual([400, 'invalid_body']);
    expect(received()).toEqual([]);
  });

  it.each([['GET'], ['PUT']])('does not answer %s', async (method) => {
    expect((await testBed.client.sendBare(method, PATH)).status).toBe(404);
  });
});

describe('without a webhook secret', () => {
  const testBed = useGateway();

  it('there is no endpoint', async () => {
    const payload = eventOf();
    expect((await testBed.client.sendBare('POST', PATH, sign(payload), payload)).status).toBe(404);
  });
});
