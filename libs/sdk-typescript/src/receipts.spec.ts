import { generateKeyPairSync, sign } from 'node:crypto';
import { Kinora } from './kinora';
import type { PublicKeySet } from './receipts';
import type { Receipt } from './resources';
import { ScriptedApi, vectors } from './scripted-api.fixtures';

const JOB_ID = '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS: PublicKeySet = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] };

function genuineReceipt(): Receipt {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'EdDSA', typ: 'kinora-receipt+jws', kid: 'k1' })}.${encode({ job_id: JOB_ID })}`;
  const jws = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
  return { object: 'receipt', job_id: JOB_ID, jws } as unknown as Receipt;
}

describe('receipts', () => {
  let api: ScriptedApi;
  beforeAll(async () => (api = await ScriptedApi.start()));
  afterAll(() => api.close());

  it.each([
    { below: '/v1', path: '/.well-known/jwks.json' },
    { below: '/kinora/v1/', path: '/kinora/.well-known/jwks.json' },
    { below: '', path: '/.well-known/jwks.json' },
    { below: '/admin/v1/customer', path: '/.well-known/jwks.json' },
  ])('are verified with the keys at $path for the base URL "$below", without sending the key', async (it) => {
    const kinora = new Kinora({ apiKey: 'knr_test_x', baseURL: `${api.origin}${it.below}` });
    api.play({ status: 200, body: KEYS });
    expect(await kinora.receipts.verify(genuineReceipt())).toEqual({ job_id: JOB_ID });
    expect(api.requests.map(({ path }) => path)).toEqual([it.path]);
    expect(api.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  interface Case {
    title: string;
    jws: string;
    keys: PublicKeySet;
    valid: boolean;
  }
  const { job_id, payload, cases } = vectors<Case, { job_id: string; payload: object }>('receipts');

  it.each(cases)('$title', async ({ jws, keys, valid }) => {
    const { receipts } = new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL });
    const verified = receipts.verify({ object: 'receipt', job_id, jws } as Receipt, keys);
    if (valid) expect(await verified).toEqual(payload);
    else await expect(verified).rejects.toMatchObject({ name: 'KinoraError', code: 'receipt_invalid' });
  });
});
