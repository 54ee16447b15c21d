import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Stripe from 'stripe';
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

/** Each reads the vectors from standard input, and prints its verdicts as a JSON array. */
const PROGRAMS = {
  python: {
    command: 'python3',
    probe: ['--version'],
    arguments: [
      '-c',
      `import json, sys
from verify import verify_webhook as v
print(json.dumps([v(x["raw_body"].encode(), x["signature"], x["secret"], x["now_seconds"]) for x in json.load(sys.stdin)]))`,
    ],
  },
  php: {
    command: 'php',
    probe: ['--version'],
    arguments: [
      '-r',
      `require 'verify.php';
echo json_encode(array_map(fn($x) => verify_webhook($x['raw_body'], $x['signature'], $x['secret'], $x['now_seconds']),
  json_decode(file_get_contents('php://stdin'), true)));`,
    ],
  },
};

describe('the code for receivers', () => {
  it.each(VECTORS)('judges in TypeScript: $title', ({ raw_body, signature, secret, now_seconds, valid }) => {
    expect(verifyWebhook(Buffer.from(raw_body), signature, secret, now_seconds)).toBe(valid);
  });

  const atHand = Object.entries(PROGRAMS).filter(([, { command, probe }]) => spawnSync(command, probe).status === 0);
  it.each(atHand)('judges all the same in %s', (_language, { command, arguments: words }) => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout, stderr } = spawnSync(command, words, {
      cwd: __dirname,
      env,
      input: JSON.stringify(VECTORS),
      encoding: 'utf8',
    });
    expect({ stderr, verdicts: JSON.parse(stdout || 'null') as unknown }).toEqual({
      stderr: '',
      verdicts: VECTORS.map(({ valid }) => valid),
    });
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
