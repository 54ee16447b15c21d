import { readFileSync } from 'node:fs';
import path from 'node:path';
import Stripe from 'stripe';
import { RUNTIMES, isAtHand, judge } from './runtimes.fixtures';
import { verifyWebhook } from './verify';

interface Vector {
  title: string;
  raw_body: string;
  signature: string;
  secret: string;
  now_seconds: number;
  valid: boolean;
}

const VECTORS = JSON.parse(readFileSync(path.join(__dirname, 'vectors.json'), 'utf8')) as Vector[];

describe('the code for receivers', () => {
  it.each(VECTORS)('verifies in TypeScript: $title', ({ raw_body, signature, secret, now_seconds, valid }) => {
    expect(verifyWebhook(Buffer.from(raw_body), signature, secret, now_seconds)).toBe(valid);
  });

  it.each(RUNTIMES.filter(isAtHand))('verifies the same in $language, if it is installed', (runtime) => {
    const { stdout, stderr } = judge(runtime, JSON.stringify(VECTORS));
    expect({ stderr, verdicts: JSON.parse(stdout || 'null') as unknown }).toEqual({
      stderr: '',
      verdicts: VECTORS.map(({ valid }) => valid),
    });
  });

  it.each(RUNTIMES)('contains the rules in $language, even if it is not installed', ({ file, says }) => {
    const code = readFileSync(path.join(__dirname, file), 'utf8');
    for (const words of says) expect(code).toContain(words);
  });

  it('agrees with the library of Stripe, which uses the same format', () => {
    // Stripe's library does not limit timestamps in the future, so those vectors are left out.
    for (const { raw_body, signature, secret, now_seconds, valid, title } of VECTORS.slice(0, 7)) {
      const verify = () =>
        Stripe.webhooks.constructEvent(raw_body, signature, secret, 300, undefined, now_seconds * 1_000);
      if (valid) expect({ title, event: verify() }).toMatchObject({ title, event: { id: 'evt_1' } });
      else expect(verify).toThrow(Stripe.errors.StripeSignatureVerificationError);
    }
  });
});
