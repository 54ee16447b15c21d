import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { canonicalJson } from './canonical-json';

/** A public Ed25519 key as a JWK (RFC 8037). */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The key in base64url. */
  x: string;
  /** Its thumbprint (RFC 7638). */
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

/** 64 hexadecimal digits: the 32 bytes from which Ed25519 derives a private key (RFC 8032). */
export const SEED = /^[0-9a-f]{64}$/i;

/** The head of a PKCS#8 structure around a seed of Ed25519 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An Ed25519 key that signs. */
export class SigningKey {
  readonly publicJwk: PublicJwk;
  private readonly privateKey: KeyObject;

  /** @param seed as `SEED` describes it. */
  constructor(seed: string) {
    if (!SEED.test(seed)) throw new Error('A signing key is 64 hexadecimal digits.');
    const der = Buffer.concat([PKCS8_HEAD, Buffer.from(seed, 'hex')]);
    this.privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(this.privateKey).export({ format: 'jwk' });
    if (typeof x !== 'string') throw new Error('The public half of the signing key has no x.');
    this.publicJwk = toPublicJwk(x);
  }

  sign(bytes: Buffer): Buffer {
    return sign(null, bytes, this.privateKey);
  }
}

/** The JWK of a public key. @param x the key in base64url. */
export function toPublicJwk(x: string): PublicJwk {
  const kid = createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}
