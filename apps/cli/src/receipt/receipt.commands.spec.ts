import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { RECEIPT_TYP } from '@kinora/contracts/jobs/receipt';
import { SigningKey, canonicalJson, signJws } from '@kinora/signatures';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { runLine } from '../../test/cli.fixtures';
import type { ReceiptVerdict } from './receipt.commands';

const key = new SigningKey('1'.repeat(64));
const payload = { version: 1, job_id: 'job-1', price: { micros: 20_000 }, started_at: null };
const receipt = { object: 'receipt', job_id: 'job-1', payload, jws: signJws(canonicalJson(payload), RECEIPT_TYP, key) };
const rsa = { kty: 'RSA', kid: 'other', n: 'AQAB', e: 'AQAB' };
const jwks = { keys: [rsa, new SigningKey('2'.repeat(64)).publicJwk, key.publicJwk] };

describe('receipt verify', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-receipt-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, value: unknown): string => {
    const file = path.join(folder, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  /** Without any stack: no folder and no broker is named. */
  const verify = async (stated: unknown, keys: unknown = jwks, place = write('jwks.json', keys)) => {
    const argv = ['receipt', 'verify', write('receipt.json', stated), '--jwks', place, '--json'];
    const { exitCode: code, out } = await runLine(argv);
    return { code, ...(JSON.parse(out) as ReceiptVerdict & { error?: { code: string; param: string } }) };
  };

  it('accepts a receipt offline, by the key that signed it', async () => {
    expect(await verify(receipt)).toEqual({
      code: 0,
      ok: true,
      job_id: 'job-1',
      kid: key.publicJwk.kid,
      problem: null,
    });
  });

  it('accepts the signature of another JOSE library', async () => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const jwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    const jws = await new CompactSign(Buffer.from(canonicalJson(payload)))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: RECEIPT_TYP })
      .sign(privateKey);
    expect(await verify({ ...receipt, jws }, { keys: [{ ...jwk, kid }] })).toMatchObject({ code: 0, ok: true, kid });
  });

  it.each<[string, object, RegExp]>([
    ['a higher price', { payload: { ...payload, price: { micros: 1 } } }, /payload of the file is not the one/],
    ['another job', { job_id: 'job-2' }, /job_id of the file is not the one/],
    ['a missing field', { payload: { version: 1, job_id: 'job-1' } }, /payload of the file is not the one/],
    ['no signature', { jws: undefined }, /not a receipt/],
    ['another signature', { jws: signJws('{}', RECEIPT_TYP, key) }, /payload of the file is not the one/],
    ['a signature of another type', { jws: signJws(canonicalJson(payload), 'JWT', key) }, /type of the signature/],
  ])('refuses a receipt with %s', async (_, changes, problem) => {
    const verdict = await verify({ ...receipt, ...changes });
    expect(verdict).toMatchObject({ code: 1, ok: false, problem: expect.stringMatching(problem) as string });
  });

  it.each<[string, unknown, RegExp]>([
    ['without the key', { keys: [rsa] }, /No public key has the id/],
    ['that is none', [], /not a JWK set/],
    ['whose key has the id of another one', { keys: [{ ...jwks.keys[1], kid: key.publicJwk.kid }] }, /does not match/],
  ])('refuses a receipt by a set %s', async (_, keys, problem) => {
    const verdict = await verify(receipt, keys);
    expect(verdict).toMatchObject({ code: 1, ok: false, problem: expect.stringMatching(problem) as string });
  });

  it('reads the keys from an address, follows no redirect, and reads no endless answer', async () => {
    const server = createServer(({ url }, response) => {
      if (url === '/moved') return void response.writeHead(302, { location: '/keys' }).end();
      if (url === '/endless') return void response.end(`"${'x'.repeat(2_000_000)}"`);
      response.writeHead(url === '/keys' ? 200 : 404).end(JSON.stringify(jwks));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await verify(receipt, jwks, `${base}/keys`)).toMatchObject({ code: 0, ok: true });
      for (const place of ['/moved', '/endless', '/absent'])
        expect(await verify(receipt, jwks, base + place)).toMatchObject({ code: 1, error: { param: '--jwks' } });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('names a file that is missing or not JSON', async () => {
    expect(await verify(receipt, jwks, path.join(folder, 'none'))).toMatchObject({
      code: 1,
      error: { param: '--jwks' },
    });
    expect(await verify('not JSON')).toMatchObject({ code: 1, error: { code: 'invalid_body' } });
  });
});
