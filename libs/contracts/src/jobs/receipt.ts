import type { JobErrorCode } from '../shared/errors';
import type { Micros } from '../shared/money';
import type { Count, Timestamp, Uuid } from '../shared/scalars';
import type { OperationName } from './job-choices';

/** How the price of a job came about. */
export interface ReceiptPrice {
  micros: Micros;
  currency: 'USD';
  /** The price of one unit. This and the three below are null for jobs that were accepted before receipts existed. */
  unit_micros: Micros | null;
  /** What a unit is. */
  per: 'image' | 'second' | null;
  /** Images, or seconds of video. */
  quantity: Count | null;
  /** What the operator had set for `unit_micros`, by id; left out where the catalog set it, or an earlier version of Kinora. */
  price_changes?: Count[];
  /**
   * `catalog`: the price list at the creation. `hold`: the amount that an earlier attempt at the same request had reserved; it
   * stays, although the price list has changed since. `quote`: the price that `quote_id` held.
   */
  source: 'catalog' | 'hold' | 'quote' | null;
  quote_id: string | null;
}

/** A move of money between the balance of the account, its reservations and the revenue of the service. */
export interface ReceiptEntry {
  /** Its id in the ledger. */
  ledger_entry_id: string;
  kind: 'reserve' | 'capture' | 'refund';
  amount_micros: Micros;
  at: Timestamp;
}

/** A verdict of moderation about the inputs or the outputs of the job. */
export interface ReceiptDecision {
  decision_id: Uuid;
  stage: 'input' | 'output';
  verdict: 'passed' | 'blocked';
  /** Null for decisions that were made before versions were recorded. */
  policy_version: string | null;
  at: Timestamp;
}

/** What a receipt states. No field depends on content that may be deleted later. */
export interface ReceiptPayload {
  version: 1;
  job_id: Uuid;
  account_id: Uuid;
  /** The operation that created the job. */
  operation: OperationName;
  model: string;
  outcome: { status: 'succeeded' | 'failed' | 'canceled'; error_code: JobErrorCode | null };
  accepted_at: Timestamp;
  /** When a provider began; null if none did. */
  started_at: Timestamp | null;
  ended_at: Timestamp;
  /** How many times the job was given to a provider. */
  attempts: Count;
  /** As the provider reports it; null if it reports none. */
  gpu_ms: Count | null;
  price: ReceiptPrice;
  /** The reservation at the creation. */
  hold: ReceiptEntry;
  /** Its end: a capture after a success, otherwise a refund. */
  settlement: ReceiptEntry;
  /**
   * SHA-256 of the request body as canonical JSON (RFC 8785), in hexadecimal; null for jobs that were accepted before receipts
   * existed.
   */
  request_sha256: string | null;
  /** SHA-256 of each input image as received, in the order of the request; null like `request_sha256`. */
  input_image_sha256: string[] | null;
  /** SHA-256 of each output file; null for jobs that ended before hashes were recorded. */
  output_sha256: string[] | null;
  /** In their order. */
  moderation: ReceiptDecision[];
}

/** A signed statement about an ended job. */
export interface Receipt {
  object: 'receipt';
  job_id: Uuid;
  payload: ReceiptPayload;
  /**
   * A compact JWS (RFC 7515) with EdDSA (Ed25519) over `payload` as canonical JSON (RFC 8785). The public keys are at
   * `/.well-known/jwks.json`, beside `/v1`.
   */
  jws: string;
}

/** The type that the header of a receipt's signature names. */
export const RECEIPT_TYP = 'kinora-receipt+jws';

/** A public key of receipts. */
export interface ReceiptKey {
  /** Its thumbprint (RFC 7638). */
  kid: string;
  /** The Ed25519 key in base64url. */
  x: string;
  created_at: string;
  /** When an operator withdrew it: receipts that it has signed prove nothing since. */
  withdrawn_at: string | null;
}
