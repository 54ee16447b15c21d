import { rpc } from '../shared/contract';

/** A creating request without an Idempotency-Key, from a client that may resend it after a dropped connection. */
export interface OpenRequest {
  api_key_id: string;
  route: string;
  body_sha256: string;
  /** Names this sending of the request in `ReportAnswers`. */
  token: string;
  /** The gateway process that holds the request open. */
  holder_id: string;
  /** Whether it is known to be a repeat: it then joins an equal request that is still held, too. */
  is_retry: boolean;
  /** Whether a repeat also joins an equal request whose answer was sent in full, because its client says that it got none. */
  joins_answered?: boolean;
}

/** What became of requests, by their tokens. The report also renews the lease of the holder. */
export interface ReportAnswers {
  holder_id: string;
  /** The whole answer was sent. */
  answered: string[];
  /** Those of `answered` whose job has ended without a result, as the answer told: no repeat joins them. */
  failed?: string[];
  /**
   * The client has disconnected before the answer, or got one after which it sends the request again. Such a report may come after
   * that of an answer: the client has reset the connection instead of reading all of it.
   */
  unanswered: string[];
}

/** The longest list of one report. */
export const REPORTED_ANSWERS_MAX = 1_000;

export const unansweredRequestsRpc = {
  /**
   * The Idempotency-Key for the request: that of an equal request of the same API key whose client never got its answer, as far
   * as its gateway or the client itself knows, or a new one. Of several equal requests that overlap in time, one joins and the
   * others get keys of their own.
   */
  open: rpc<OpenRequest, { idempotency_key: string }>('jobs.v1.open_request', {
    timeoutMs: 5_000,
    errors: ['capacity'],
  }),
  report: rpc<ReportAnswers, Record<string, never>>('jobs.v1.report_answers', {
    timeoutMs: 5_000,
    errors: ['capacity'],
  }),
} as const;
