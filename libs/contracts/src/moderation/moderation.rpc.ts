import { rpc } from '../shared/contract';
import type { PassedContent } from './decision';

/** A text that a client sent, with the name of the field it came in. */
export interface ScreenedText {
  param: string;
  text: string;
}

/** An image that a client sent, as it lies in the object store. */
export interface ScreenedImage {
  param: string;
  object_key: string;
}

/** `unreadable`: a video whose images cannot be seen, today or tomorrow. It has not passed, and asking again does not help. */
export type OutputVerdict =
  (PassedContent & { verdict: 'passed' }) | { decision_id: string; verdict: 'blocked' } | { verdict: 'unreadable' };

/** Texts wait for nothing; a gate that died meanwhile should not keep a client waiting for longer. */
export const SCREEN_TEXT_TIMEOUT_MS = 5_000;

export const moderationRpc = {
  /** Judges prompts and input images before anything is reserved; a gate that cannot answer has not passed (`capacity`). */
  screenInput: rpc<
    { account_id: string; job_id: string; texts: ScreenedText[]; images: ScreenedImage[] },
    PassedContent
  >('moderation.v1.screen_input', {
    // Images wait for their decode. A caller that sends text alone waits for SCREEN_TEXT_TIMEOUT_MS.
    timeoutMs: 30_000,
    errors: ['content_blocked_prompt', 'content_blocked_input', 'capacity'],
    batching: { maxItems: 32, maxConcurrent: 4 },
  }),
  /** Judges what a job made. A block records one strike for the job, however often it is asked. */
  screenOutput: rpc<{ account_id: string; job_id: string; object_keys: string[] }, OutputVerdict>(
    'moderation.v1.screen_output',
    { timeoutMs: 30_000, errors: ['capacity'] },
  ),
  /** Whether videos can be judged: null, or what is wrong with the decoder. Without one no video ever passes. */
  examineVideoDecoder: rpc<Record<string, never>, { problem: string | null }>('moderation.v1.examine_video_decoder', {
    // The first answer waits for a trial.
    timeoutMs: 15_000,
    errors: ['capacity'],
  }),
} as const;
