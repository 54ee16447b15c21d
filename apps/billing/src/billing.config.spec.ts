import { loadConfig } from '@kinora/service-kit';
import { BillingConfig } from './billing.config';

const REQUIRED = { DATABASE_URL: 'postgres://billing', KINORA_KEY_PEPPER: 'p'.repeat(32) };
const load = (env: NodeJS.ProcessEnv) => loadConfig(BillingConfig, { ...REQUIRED, ...env });

describe('billing settings', () => {
  it('have no payment provider by default', () => {
    expect(load({})).toMatchObject({ payments: 'none', stripeSecretKey: '' });
  });

  it('accept rehearsals of payments on one machine', () => {
    expect(load({ KINORA_PAYMENTS: 'sandbox', KINORA_PROFILE: 'local' })).toMatchObject({ payments: 'sandbox' });
  });

  it('accept Stripe with its key, also with another URL', () => {
    const stripe = { KINORA_PAYMENTS: 'stripe', KINORA_STRIPE_SECRET_KEY: 'sk_test_1' };
    expect(load(stripe)).toMatchObject({ payments: 'stripe', stripeUrl: 'https://api.stripe.com' });
    const stripeUrl = 'http://127.0.0.1:12111';
    expect(load({ ...stripe, KINORA_STRIPE_URL: stripeUrl })).toMatchObject({ stripeUrl });
  });

  it.each([
    [{ KINORA_PAYMENTS: 'stripe' }, 'KINORA_STRIPE_SECRET_KEY'],
    [{ KINORA_PAYMENTS: 'bank' }, 'KINORA_PAYMENTS'],
    [{ KINORA_PAYMENTS: 'sandbox' }, 'customers would top up for nothing'],
    [{ KINORA_STRIPE_URL: 'nowhere' }, 'KINORA_STRIPE_URL'],
  ])('are refused with the name of the setting: %j', (env, name) => {
    expect(() => load(env)).toThrow(name);
  });
});
