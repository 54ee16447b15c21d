import { rpc } from '../shared/contract';

/** A creating request without an Idempotency-Key, from a client that may repeat it after a lost connection. */
export interface OpenUnkeyedRequest {
  account_id: string;
  /** Hash of the API key, the route and the body: equal requests have equal hashes. */
  request_hash: string;
  /** Whether the client marks it as a repeat: it then joins the newest equal request in any state. */
  is_marked: boolean;
}

/** One sending of a request. A later one that joins the request has a higher number, and only the last one closes it. */
export interface RequestSending {
  id: string;
  sending: number;
}

/** `failed`: the answer told that the job has ended without a result, so a repeat is a new request. */
export type AnswerOutcome = 'answered' | 'abandoned' | 'failed';

export interface CloseUnkeyedRequest extends RequestSending {
  outcome: AnswerOutcome;
}

export const unkeyedRequestsRpc = {
  /**
   * Stores the request as open, or joins an equal one of the last 15 minutes: the newest one if the client marks its repeat, and
   * otherwise the newest one that was abandoned. Requests that share a key share a job.
   */
  open: rpc<OpenUnkeyedRequest, RequestSending & { idempotency_key: string }>('jobs.v1.open_unkeyed_request'),
  /** What became of a sending. That of a sending before the last one changes nothing. */
  close: rpc<CloseUnkeyedRequest, Record<string, never>>('jobs.v1.close_unkeyed_request'),
} as const;

/** A creation whose caller was told that it failed, although it may have succeeded, or may succeed later. */
export interface AbandonedCreation {
  account_id: string;
  /** As the gateway named it in the create request. */
  job_id: string;
  /** It has an Idempotency-Key: a job that is stored already stays, because a repeat of the request gets it. */
  has_key?: true;
}

/** The longest list of one request. */
export const ABANDONED_CREATIONS_MAX = 100;

export const abandonedCreationsRpc = {
  /**
   * Ensures that no job comes of these creations, or cancels and refunds the job that has come already. Idempotent. Answers with
   * the ids of those that are settled; the sender repeats the others.
   */
  abandon: rpc<{ creations: AbandonedCreation[] }, { settled: string[] }>('jobs.v1.abandon_creations'),
} as const;
