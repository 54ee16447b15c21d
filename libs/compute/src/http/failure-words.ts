import type { FailureKind, ProviderTask } from '../compute-provider.port';
import { isRecord } from './json-answer';

/** Messages of backends whose content filter has flagged something. */
const OF_A_FILTER =
  /nsfw|safety|(?<!case[- ])\bsensitive\b|content[ _]policy|content[ _]moderation|flagged|prohibited content/i;
const OF_MEMORY = /out of memory|cuda error|\boom\b|no space left/i;
const OF_A_MOMENT = /interrupted|please retry|try again|shutting down|worker (died|lost)|connection reset/i;
const OF_TIME = /timed? ?out|deadline exceeded/i;

/**
 * Classifies a backend's error message; null where it matches nothing. The message is the only source, so this is a heuristic.
 * Errors may quote the client's texts, so those are removed first and do not affect the result.
 */
export function failureKindOf(words: string, ownTexts: string[] = []): FailureKind | null {
  const ownText = ownTexts.filter(Boolean).reduce((rest, text) => rest.replaceAll(text, ''), words);
  if (OF_A_FILTER.test(ownText)) return 'content_rejected';
  if (OF_MEMORY.test(ownText) || OF_A_MOMENT.test(ownText)) return 'transient';
  return OF_TIME.test(ownText) ? 'timeout' : null;
}

/** The texts that errors about a task may quote. */
export function textsOf({ prompt, negativePrompt }: Pick<ProviderTask, 'prompt' | 'negativePrompt'>): string[] {
  return [prompt, negativePrompt];
}

/**
 * The message of `{detail}` as FastAPI returns it, or of `{error}`, a text or OpenAI's `{message, type, code}`; null for other
 * answers.
 */
export function errorWords(answer: unknown): string | null {
  if (!isRecord(answer)) return null;
  const { detail, error } = answer;
  if (typeof detail === 'string') return detail;
  // A list is FastAPI's own validation error, which quotes the whole request.
  if (Array.isArray(detail)) return '';
  if (typeof error === 'string') return error;
  if (!isRecord(error)) return null;
  return [error['code'], error['type'], error['message']].filter((word) => typeof word === 'string').join(' ');
}

/** There was no whole answer. The message names the kind of the error only, never an address, a header or a body. */
export class TransportError extends Error {
  constructor(
    reason: string,
    /** False proves that no byte of the request was sent: it may be sent again, here or elsewhere. */
    readonly wasSent: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'TransportError';
  }
}

/** The answer was longer than the caller's bound. */
export class AnswerTooLong extends TransportError {
  constructor() {
    super('the answer is too long', true);
    this.name = 'AnswerTooLong';
  }
}
