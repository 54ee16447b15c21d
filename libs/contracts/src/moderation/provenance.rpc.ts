import { rpc } from '../shared/contract';
import type { Count, Timestamp } from '../shared/scalars';

/** A file that was used to make another one, as the credential of that one states it. */
export interface ProvenanceIngredient {
  title: string | null;
  /** Whether its own credential was valid; null for one without a credential. */
  valid: boolean | null;
  signer: string | null;
  digital_source_type: string | null;
}

/** The content credential (C2PA) in a file. Every text is the word of its signer. */
export interface ProvenanceCredential {
  /** Whether the signature is right and the file was not changed since. False also for a credential that cannot be read. */
  valid: boolean;
  /** Whether the certificate leads to a root that this service trusts. */
  trusted: boolean;
  /** Whether this service has signed it. */
  ours: boolean;
  signer: string | null;
  created_at: Timestamp | null;
  model: string | null;
  /** IPTC digital source type, as a URL. */
  digital_source_type: string | null;
  /** At most 20. */
  ingredients: ProvenanceIngredient[];
}

/** An output of this service that is the file, or looks the same. */
export interface ProvenanceMatch {
  /** Whether it is this file, byte by byte. */
  exact: boolean;
  /** In how many of 256 bits the perceptual hashes differ; unrelated images differ in about 128. */
  distance_bits: Count;
  created_at: Timestamp;
  /** Null where it was not recorded. */
  model: string | null;
}

/**
 * `credential`: the file has a valid credential. `match`: it is an output of this service. `similar`: it looks like one.
 * `unknown`: none of them, which does not mean that no system has made it.
 */
export type ProvenanceResult = 'credential' | 'match' | 'similar' | 'unknown';

/** What is known about the origin of a file. */
export interface ProvenanceCheck {
  object: 'provenance.check';
  result: ProvenanceResult;
  /** Null for a file without a credential. */
  credential: ProvenanceCredential | null;
  /** Null where this service has made nothing like it. Given also beside a credential. */
  match: ProvenanceMatch | null;
}

/** A file that a stranger has sent, as stored in the object store. */
export interface CheckProvenanceRequest {
  /** The field to name in a refusal. */
  param: string;
  object_key: string;
}

export const provenanceRpc = {
  /** One at a time in a process. A file that cannot be decoded is `invalid_body` with its field. */
  check: rpc<CheckProvenanceRequest, ProvenanceCheck>('moderation.v1.check_provenance', {
    timeoutMs: 30_000,
    errors: ['invalid_body'],
  }),
} as const;
