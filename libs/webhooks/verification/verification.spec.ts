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
  it.each(VECTORS)('judges in TypeScript: $title', ({ raw_body, signature, secret, now_seconds, valid }) => {
    expect(verifyWebhook(Buffer.from(raw_body), signature, secret, now_seconds)).toBe(valid);
  });

  it.each(RUNTIMES.filter(isAtHand))('judges all the same in $language, which is at hand', (runtime) => {
    const { stdout, stderr } = judge(runtime, JSON.stringify(VECTORS));
    expect({ stderr, verdicts: JSON.parse(stdout || 'null') as unknown }).toEqual({
      stderr: '',
      verdicts: VECTORS.map(({ valid }) => valid),
    });
  });

  it.each(RUNTIMES)('keeps the rules in $language, at hand or not', ({ file, says }) => {
    const code = readFileSync(path.join(__dirname, file), 'utf8');
    for (const words of says) expect(code).toContain(words);
  });

  it('agrees with the library of Stripe, whose format it is', () => {
    // It leaves the future open.
    for (const { raw_body, signature, secret, now_seconds, valid, title } of VECTORS.slice(0, 7)) {
      const verify = () =>
        Stripe.webhooks.constructEvent(raw_body, signature, secret, 300, undefined, now_seconds * 1_000);
      if (valid) expect({ title, event: verify() }).toMatchObject({ title, event: { id: 'evt_1' } });
      else expect(verify).toThrow(Stripe.errors.StripeSignatureVerificationError);
    }
  });
});
