import { RECEIPT_TYP } from '@kinora/contracts/jobs/receipt';
import { isRecord } from '@kinora/contracts/shared/is-record';
import { InvalidJws, type PublicKey, canonicalJson, verifyJws } from '@kinora/signatures';

/** The result for one receipt; `problem` says why it proves nothing. */
export interface ReceiptVerdict {
  ok: boolean;
  job_id: string | null;
  /** The key that signed it. */
  kid: string | null;
  problem: string | null;
}

/**
 * Whether one of the keys has signed exactly what the receipt states. A valid signature over another payload than the shown one
 * proves nothing about the shown one.
 */
export function verifyReceipt(receipt: unknown, jwks: unknown): ReceiptVerdict {
  const { jws, payload, job_id } = isRecord(receipt) ? receipt : {};
  const jobId = typeof job_id === 'string' ? job_id : null;
  const refuse = (problem: string, kid: string | null = null): ReceiptVerdict => {
    return { ok: false, job_id: jobId, kid, problem };
  };
  if (typeof jws !== 'string' || !isRecord(payload))
    return refuse('The file is not a receipt: jws or payload is missing.');
  try {
    const signed = verifyJws(jws, RECEIPT_TYP, keysOf(jwks));
    if (signed.payload !== canonicalJson(payload))
      return refuse('The payload of the file is not the one that was signed.', signed.kid);
    if (payload['job_id'] !== jobId)
      return refuse('The job_id of the file is not the one that was signed.', signed.kid);
    return { ok: true, job_id: jobId, kid: signed.kid, problem: null };
  } catch (error) {
    if (error instanceof InvalidJws) return refuse(error.message);
    throw error;
  }
}

/** The Ed25519 keys of a set. Other keys of the set are ignored (RFC 7517, 5). */
function keysOf(jwks: unknown): PublicKey[] {
  const keys: unknown = isRecord(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys)) throw new InvalidJws('The key set is not a JWK set: keys is missing.');
  return keys.filter(isRecord).flatMap(({ kty, crv, kid, x }) => {
    const isEd25519 = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
    return isEd25519 && typeof kid === 'string' ? [{ kid, x }] : [];
  });
}
