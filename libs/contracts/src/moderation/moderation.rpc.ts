import { rpc } from '../shared/contract';
import { healthCheck } from '../shared/health';

/** Exists in the type only. */
declare const passed: unique symbol;

/**
 * The id of a decision by which content has passed. Only moderation creates one, from a verdict of its gate. Code that requires
 * such a verdict takes this type, and a plain id does not compile.
 */
export type PassedDecisionId = string & { readonly [passed]: true };

/** Content that has passed, as the gate received it. */
export interface PassedContent {
  decision_id: PassedDecisionId;
  /** One hash for each text, then for each file, in the order of the request. */
  content_sha256: string[];
}

/** A text that a client sent, with the name of the field it came in. */
export interface ScreenedText {
  param: string;
  text: string;
}

/** An image that a client sent, as stored in the object store. */
export interface ScreenedImage {
  param: string;
  object_key: string;
}

/** The texts and images that a client sent for a job. */
export interface ScreenInputRequest {
  account_id: string;
  job_id: string;
  texts: ScreenedText[];
  images: ScreenedImage[];
}

/** The outputs that a job has made, as stored in the object store. */
export interface ScreenOutputRequest {
  account_id: string;
  job_id: string;
  object_keys: string[];
  /** The model of the job, for the registry of fingerprints. */
  model?: string;
}

/** The reference to a decision that a receipt carries. */
export interface DecisionReference {
  decision_id: string;
  stage: 'input' | 'output';
  verdict: 'passed' | 'blocked';
  /** Null for decisions that were made before versions were recorded. */
  policy_version: string | null;
  created_at: string;
}

/** What a block is about, as clients read it. What exactly was recognised would help to evade moderation. */
export type BlockedCategory = 'words' | 'listed content' | 'sexual content' | 'other content';

/** `unreadable`: an image or a video that can never be decoded. It has not passed, and a retry does not help. */
export type OutputVerdict =
  | (PassedContent & { verdict: 'passed' })
  | { decision_id: string; verdict: 'blocked'; category?: BlockedCategory }
  | { verdict: 'unreadable' };

/** Texts need no decoding, so the limit is short: after a crash of the gate, a client does not wait longer. */
export const SCREEN_TEXT_TIMEOUT_MS = 5_000;

export const moderationRpc = {
  /**
   * Moderates prompts and input images before anything is reserved; without an answer nothing has passed (`capacity`). An image
   * that does not decode to its end is `invalid_body` with its field.
   */
  screenInput: rpc<ScreenInputRequest, PassedContent>('moderation.v1.screen_input', {
    // Images wait for their decode. A caller that sends text alone uses SCREEN_TEXT_TIMEOUT_MS.
    timeoutMs: 30_000,
    errors: ['invalid_body', 'content_blocked_prompt', 'content_blocked_input'],
    batching: { maxItems: 32, maxConcurrent: 4 },
  }),
  /** Moderates what a job made. A block records one strike per job, however often the request is repeated. */
  screenOutput: rpc<ScreenOutputRequest, OutputVerdict>('moderation.v1.screen_output', { timeoutMs: 30_000 }),
  /** The decisions about a job of the account, oldest first; at most 100. */
  findJobDecisions: rpc<{ account_id: string; job_id: string }, { decisions: DecisionReference[] }>(
    'moderation.v1.find_job_decisions',
    { timeoutMs: 2_000 },
  ),
  /** Whether videos can be moderated: null, or the problem of the decoder. Without a decoder no video ever passes. */
  examineVideoDecoder: rpc<Record<string, never>, { problem: string | null }>('moderation.v1.examine_video_decoder', {
    // The first answer waits for a trial of the decoder.
    timeoutMs: 15_000,
  }),
} as const;

export const moderationHealthRpc = {
  check: healthCheck('moderation'),
} as const;
