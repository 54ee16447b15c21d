import { createPublicKey, verify } from 'node:crypto';
import type { PublicJwk, SigningKey } from './signing-key';

/** Why a signature proves nothing; the text is for people. */
export class InvalidJws extends Error {}

/** A compact JWS (RFC 7515) with EdDSA. `typ` keeps a signature for one purpose from being used for another (RFC 8725). */
export function signJws(payload: string, typ: string, key: SigningKey): string {
  const header = { alg: 'EdDSA', kid: key.publicJwk.kid, typ };
  const signed = `${encode(JSON.stringify(header))}.${encode(payload)}`;
  return `${signed}.${key.sign(Buffer.from(signed)).toString('base64url')}`;
}

/**
 * The payload of a compact JWS of this type that one of the keys has signed. The header chooses the key, but never the
 * algorithm: only EdDSA with Ed25519 is accepted.
 * @throws InvalidJws
 */
export function verifyJws(jws: string, typ: string, keys: readonly PublicKey[]): { payload: string; kid: string } {
  const parts = jws.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) throw new InvalidJws('The signature is not a compact JWS.');
  const { kid } = readHeader(decode(header).toString(), typ);
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw new InvalidJws(`No public key has the id ${kid}.`);
  if (!isSignedBy(key, Buffer.from(`${header}.${payload}`), decode(signature)))
    throw new InvalidJws('The signature does not match the payload.');
  return { payload: decode(payload).toString(), kid };
}

export type PublicKey = Pick<PublicJwk, 'kid' | 'x'>;

function isSignedBy({ x }: PublicKey, signed: Buffer, signature: Buffer): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, signed, key, signature);
}

function readHeader(text: string, typ: string): { kid: string } {
  const header = parseObject(text);
  if (header['alg'] !== 'EdDSA') throw new InvalidJws('The algorithm of the signature is not EdDSA.');
  if (header['typ'] !== typ) throw new InvalidJws(`The type of the signature is not ${typ}.`);
  // A verifier must refuse critical extensions that it does not know.
  if (header['crit'] !== undefined) throw new InvalidJws('The signature has critical extensions.');
  if (typeof header['kid'] !== 'string') throw new InvalidJws('The signature names no key.');
  return { kid: header['kid'] };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Handled below.
  }
  throw new InvalidJws('The header of the signature is not a JSON object.');
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Strict: Node ignores characters that are not base64url, so that one signature would have many spellings. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new InvalidJws('The signature is not in base64url.');
  return bytes;
}
