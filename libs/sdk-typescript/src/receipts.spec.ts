import { generateKeyPairSync, sign } from 'node:crypto';
import { Kinora } from './kinora';
import type { PublicKeySet } from './receipts';
import type { Receipt } from './resources';
import { ScriptedApi } from './scripted-api.fixtures';

const JOB_ID = '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS: PublicKeySet = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] };

/** A receipt of the service with this header and this payload. */
function receiptOf({ header = {}, payload = {} } = {}): Receipt {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const protectedHeader = { alg: 'EdDSA', typ: 'kinora-receipt+jws', kid: 'k1', ...header };
  const signed = `${encode(protectedHeader)}.${encode({ job_id: JOB_ID, ...payload })}`;
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
    expect(await kinora.receipts.verify(receiptOf())).toEqual({ job_id: JOB_ID });
    expect(api.requests.map(({ path }) => path)).toEqual([it.path]);
    expect(api.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('of another job, key or algorithm prove nothing', async () => {
    const { receipts } = new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL });
    const forged = [
      receiptOf({ payload: { job_id: 'other' } }),
      receiptOf({ header: { kid: 'k2' } }),
      receiptOf({ header: { alg: 'none' } }),
      { ...receiptOf(), jws: receiptOf().jws.replace(/.{4}\.(?=[^.]*$)/, 'AAAA.') },
    ];
    for (const receipt of forged)
      await expect(receipts.verify(receipt, KEYS)).rejects.toMatchObject({ code: 'receipt_invalid' });
  });
});
