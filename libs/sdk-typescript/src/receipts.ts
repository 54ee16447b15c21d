import { KinoraError } from './errors';
import type { Receipt } from './resources';
import type { CallOptions, Transport } from './transport';

export interface PublicKeySet {
  keys: { kid?: string; kty?: string; crv?: string; x?: string }[];
}

const TYPE = 'kinora-receipt+jws';
const KEY_SET = '/.well-known/jwks.json';

export class Receipts {
  constructor(private readonly transport: Transport) {}

  /**
   * What the service has signed. `keys` is its key set; without one it is read from the service.
   * @throws KinoraError `receipt_invalid`
   */
  async verify(receipt: Receipt, keys?: PublicKeySet, options?: CallOptions): Promise<Receipt['payload']> {
    const [header = '', payload = '', signature = '', ...rest] = receipt.jws.split('.');
    const { alg, typ, kid, crit } = readObject(header);
    // The header chooses the key, but never the algorithm.
    if (alg !== 'EdDSA' || typ !== TYPE || crit !== undefined || rest.length > 0)
      throw invalid('it is no signature of a receipt.');
    const set = keys ?? (await this.publishedKeys(options));
    const x = set.keys.find((key) => key.kid === kid && key.kty === 'OKP' && key.crv === 'Ed25519')?.x;
    if (x === undefined) throw invalid(`no public key has the id ${String(kid)}.`);
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    if (!(await isSignedBy(fromBase64url(x), fromBase64url(signature), signed)))
      throw invalid('the signature does not match.');
    const stated = readObject(payload) as Receipt['payload'];
    if (stated.job_id !== receipt.job_id) throw invalid('it is that of another job.');
    return stated;
  }

  private async publishedKeys(options: CallOptions = {}): Promise<PublicKeySet> {
    const publicURL = keySetAddress(this.transport.settings.baseURL);
    return await this.transport.request({ method: 'GET', path: KEY_SET, publicURL }, options);
  }
}

/** Beside the version of the API; where the base URL ends in no version, at the root of its host, the place of RFC 8615. */
function keySetAddress(baseURL: string): string {
  const beside = /^(.*)\/v\d+$/.exec(baseURL)?.[1];
  const [host = ''] = /^[a-z]+:\/\/[^/]+/i.exec(baseURL) ?? [];
  return `${beside ?? host}${KEY_SET}`;
}

async function isSignedBy(publicKey: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  if (publicKey.length !== 32) return false;
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  return await crypto.subtle.verify('Ed25519', key, signature, message);
}

function readObject(part: string): Record<string, unknown> {
  const bytes = fromBase64url(part);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below, as JSON without an object is.
  }
  throw invalid('it is no compact JWS.');
}

type Bytes = Uint8Array<ArrayBuffer>;

function fromBase64url(text: string): Bytes {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw invalid('it is no compact JWS.');
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

function invalid(why: string): KinoraError {
  return new KinoraError(`The receipt proves nothing: ${why}`, { type: 'receipt_invalid', code: 'receipt_invalid' });
}
