import { v7 as uuidv7 } from 'uuid';
import { waitFor } from '@kinora/testing';
import { useBilling } from './billing.fixtures';
import { ListRecords } from '../src/use-cases/list-records.query';
import { SetAutoRecharge } from '../src/use-cases/set-auto-recharge.use-case';
import type { PaymentOutcome } from '../src/payments/payment-provider.port';
import { StripeApi } from './stripe-api.fixtures';
import { StripePayments } from '../src/payments/stripe-payments.provider';

const USD = 1_000_000;

describe('payments through Stripe', () => {
  let api: StripeApi;
  let stripe: StripePayments;

  beforeAll(async () => {
    api = await StripeApi.start();
    stripe = new StripePayments({ secretKey: 'sk_test_secret', url: api.url });
  });
  afterAll(() => api.close());
  const billing = useBilling(() => ({ payments: 'stripe', stripeSecretKey: 'sk_test_secret', stripeUrl: api.url }));

  const order = (payment_method: string) => {
    const [id, account_id] = [uuidv7(), uuidv7()];
    return { id, account_id, amount_micros: 12_340_000, payment_method, customer: 'cus_1' };
  };
  const charge = async (payment_method: string) => {
    const outcomes: PaymentOutcome[] = [];
    const request = order(payment_method);
    const reference = await stripe.open(request);
    await stripe.charge(request, reference, async (outcome) => void outcomes.push(outcome));
    return { reference, outcomes };
  };

  it('opens an order without a charge, and the same one when repeated', async () => {
    const request = order('pm_good');
    const reference = await stripe.open(request);
    expect(await stripe.open(request)).toBe(reference);
    expect(api.calls.at(-1)).toEqual({
      method: 'POST',
      path: '/v1/payment_intents',
      authorization: 'Bearer sk_test_secret',
      idempotencyKey: `${request.id}-open`,
      form: {
        amount: '1234',
        currency: 'usd',
        customer: 'cus_1',
        payment_method: 'pm_good',
        'automatic_payment_methods[enabled]': 'true',
        'automatic_payment_methods[allow_redirects]': 'never',
        'metadata[kinora_payment_id]': request.id,
        'metadata[kinora_account_id]': request.account_id,
      },
    });
    expect(await stripe.find(reference)).toEqual({ state: 'unpaid' });
  });

  it('charges an order off-session', async () => {
    const { reference, outcomes } = await charge('pm_good');
    expect(outcomes).toEqual([{ state: 'succeeded' }]);
    expect(api.calls.at(-1)).toMatchObject({
      path: `/v1/payment_intents/${reference}/confirm`,
      form: { off_session: 'true' },
      idempotencyKey: expect.stringMatching(/-charge$/) as string,
    });
    expect(await stripe.find(reference)).toEqual({ state: 'succeeded' });
  });

  it('reports why a card was declined, at once and in a later poll', async () => {
    const failed = { state: 'failed', reason: 'insufficient_funds' };
    const { reference, outcomes } = await charge('pm_declined');
    expect(outcomes).toEqual([failed]);
    expect(await stripe.find(reference)).toEqual(failed);
  });

  it('cancels an order that Stripe will never charge', async () => {
    const { reference, outcomes } = await charge('pm_detached');
    expect(outcomes).toEqual([{ state: 'failed', reason: 'payment_method_unactivated' }]);
    expect(await stripe.find(reference)).toEqual({ state: 'failed', reason: 'canceled' });
  });

  it('leaves the outcome open for an order that was already charged', async () => {
    const request = order('pm_good');
    const reference = await stripe.open(request);
    await stripe.charge(request, reference, () => Promise.resolve());
    const again = { ...request, id: uuidv7() };
    await expect(stripe.charge(again, reference, () => Promise.resolve())).rejects.toThrow();
    expect(await stripe.find(reference)).toEqual({ state: 'succeeded' });
  });

  it('reports no outcome while Stripe is still processing', async () => {
    const { reference, outcomes } = await charge('pm_processing');
    expect(outcomes).toEqual([]);
    expect(await stripe.find(reference)).toEqual({ state: 'under_way' });
  });

  it('refuses an unknown payment method', async () => {
    await expect(stripe.open(order('pm_nobody'))).rejects.toMatchObject({ reason: 'resource_missing' });
  });

  it('throws when the response was lost, and finds the charge in a poll', async () => {
    const request = order('pm_good');
    const reference = await stripe.open(request);
    api.confirmationsToLose = 2;
    const outcomes: PaymentOutcome[] = [];
    await expect(stripe.charge(request, reference, async (outcome) => void outcomes.push(outcome))).rejects.toThrow();
    expect(outcomes).toEqual([]);
    expect(await stripe.find(reference)).toEqual({ state: 'succeeded' });
  });

  describe('of an account whose balance runs low', () => {
    it('charge it once, also if the response is lost', async () => {
      const { account_id } = await billing.createAccount({ balance_micros: USD });
      const amounts = { threshold_micros: 2 * USD, amount_micros: 20 * USD };
      api.confirmationsToLose = 2;
      const card = { payment_method: 'pm_good', customer: 'cus_1' };
      await billing.get(SetAutoRecharge).execute({ account_id, enabled: true, ...amounts, ...card });
      const show = () => billing.show(account_id);
      await waitFor(async () => (await show()).balance_micros === 21 * USD);
      const { data } = await billing.get(ListRecords).listPayments({ account_id });
      expect(data).toMatchObject([{ provider: 'stripe', state: 'succeeded' }]);
      expect(api.intents.get(data[0]?.reference ?? '')).toMatchObject({ amount: 2_000, charges: 1 });
    });

    it('need a payment method, because Stripe has no default one', async () => {
      const { account_id } = await billing.createAccount();
      const request = { account_id, enabled: true, threshold_micros: USD, amount_micros: USD };
      const refused = billing.get(SetAutoRecharge).execute(request);
      await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'payment_method' });
    });
  });
});
