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
    const { alg, typ, kid, crit } = readJson(header) as Record<string, unknown>;
    // The header chooses the key, but never the algorithm.
    if (alg !== 'EdDSA' || typ !== TYPE || crit !== undefined || rest.length > 0)
      throw invalid('it is no signature of a receipt.');
    const set = keys ?? (await this.publishedKeys(options));
    const x = set.keys.find((key) => key.kid === kid && key.kty === 'OKP' && key.crv === 'Ed25519')?.x;
    if (x === undefined) throw invalid(`no public key has the id ${String(kid)}.`);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x };
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify']);
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    if (!(await crypto.subtle.verify({ name: 'Ed25519' }, key, fromBase64url(signature), signed)))
      throw invalid('the signature does not match.');
    const stated = readJson(payload) as Receipt['payload'];
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

function readJson(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64url(part)));
  } catch {
    throw invalid('it is no compact JWS.');
  }
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

function invalid(why: string): KinoraError {
  return new KinoraError(`The receipt proves nothing: ${why}`, { type: 'receipt_invalid', code: 'receipt_invalid' });
}
