import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import { InvalidJws, signJws, verifyJws } from './jws';
import { SigningKey } from './signing-key';

/** The first test vector of RFC 8032, 7.1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC_KEY = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const TYP = 'spec+jws';

const key = new SigningKey(SEED);
const jws = signJws('{"a":1}', TYP, key);
const [header = '', payload = '', signature = ''] = jws.split('.');
const verified = (text: string, keys = [key.publicJwk]) => verifyJws(text, TYP, keys);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a header that `signJws` would not write. */
function forged(parts: object): string {
  const signed = `${base64url({ alg: 'EdDSA', kid: key.publicJwk.kid, typ: TYP, ...parts })}.${payload}`;
  return `${signed}.${key.sign(Buffer.from(signed)).toString('base64url')}`;
}

describe('a signature', () => {
  it('has the public key of RFC 8032, and the thumbprint of RFC 7638 as its id', async () => {
    const { kid, ...jwk } = key.publicJwk;
    expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x: PUBLIC_KEY, alg: 'EdDSA', use: 'sig' });
    expect(kid).toBe(await calculateJwkThumbprint(jwk));
  });

  it('is verified by another JOSE library', async () => {
    const { protectedHeader, payload: read } = await compactVerify(jws, await importJWK(key.publicJwk, 'EdDSA'));
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: key.publicJwk.kid, typ: TYP });
    expect(Buffer.from(read).toString()).toBe('{"a":1}');
  });

  it('is verified by the key that its header names, among others', () => {
    const other = new SigningKey('a'.repeat(64));
    expect(verified(jws, [other.publicJwk, key.publicJwk])).toEqual({ payload: '{"a":1}', kid: key.publicJwk.kid });
    expect(() => verified(jws, [other.publicJwk])).toThrow(InvalidJws);
    const liar = { ...other.publicJwk, kid: key.publicJwk.kid };
    expect(() => verified(jws, [liar])).toThrow('The signature does not match the payload.');
  });

  it.each<[string, string]>([
    ['another payload', `${header}.${base64url({ a: 2 })}.${signature}`],
    ['a changed signature', `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['no signature', `${header}.${payload}.`],
    ['the algorithm none', forged({ alg: 'none' })],
    ['a symmetric algorithm', forged({ alg: 'HS256' })],
    ['another type', forged({ typ: 'JWT' })],
    ['a critical extension', forged({ crit: ['exp'] })],
    ['no key', forged({ kid: undefined })],
    ['padding', `${jws}=`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${jws}.`],
    ['a header that is not JSON', `AAAA.${payload}.${signature}`],
  ])('with %s proves nothing', (_, text) => {
    expect(() => verified(text)).toThrow(InvalidJws);
  });

  it('is not made by a key of another form', () => {
    expect(() => new SigningKey('short')).toThrow('64 hexadecimal digits');
  });
});
