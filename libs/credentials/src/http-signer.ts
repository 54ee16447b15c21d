import type { RemoteSigner } from './claim-key';

const TIMEOUT_MS = 2_000;
const HEX = /^[0-9a-f]{128,192}$/;

/**
 * A signer behind HTTP, for a KMS or an HSM: `POST {algorithm, bytes_base64}` is answered by `{signature_hex}`, the two numbers of the
 * signature one after the other (IEEE P1363). The address is the operator's own, so it may be private.
 */
export function httpSigner(url: string, token: string): RemoteSigner {
  return async (bytes, algorithm) => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ algorithm, bytes_base64: bytes.toString('base64') }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The signer has answered with status ${response.status}.`);
    const { signature_hex: signature } = (await response.json()) as { signature_hex?: unknown };
    if (typeof signature !== 'string' || !HEX.test(signature)) throw new Error('The signer has returned no signature.');
    return Buffer.from(signature, 'hex');
  };
}
