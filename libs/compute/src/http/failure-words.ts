import type { FailureKind, ProviderTask } from '../compute-provider.port';
import { isRecord } from './json-answer';

/** What backends say when a filter of theirs has found something, in their many ways. */
const OF_A_FILTER =
  /nsfw|safety|(?<!case[- ])\bsensitive\b|content[ _]policy|content[ _]moderation|flagged|prohibited content/i;
const OF_MEMORY = /out of memory|cuda error|\boom\b|no space left/i;
const OF_A_MOMENT = /interrupted|please retry|try again|shutting down|worker (died|lost)|connection reset/i;
const OF_TIME = /timed? ?out|deadline exceeded/i;

/**
 * What kind of failure a backend's words for people tell of; null where they tell nothing. They are its only words, so that
 * reading them is a guess. Errors may quote what they are about: the client's own texts are left out, and do not decide.
 */
export function failureKindOf(words: string, ownTexts: string[] = []): FailureKind | null {
  const ownText = ownTexts.filter(Boolean).reduce((rest, text) => rest.replaceAll(text, ''), words);
  if (OF_A_FILTER.test(ownText)) return 'content_rejected';
  if (OF_MEMORY.test(ownText) || OF_A_MOMENT.test(ownText)) return 'transient';
  return OF_TIME.test(ownText) ? 'timeout' : null;
}

/** What errors about a task may quote. */
export function textsOf({ prompt, negativePrompt }: Pick<ProviderTask, 'prompt' | 'negativePrompt'>): string[] {
  return [prompt, negativePrompt];
}

/** The words of `{detail}` as FastAPI says it, or of `{error}`, a text or OpenAI's `{message, type, code}`; null for what is neither. */
export function errorWords(answer: unknown): string | null {
  if (!isRecord(answer)) return null;
  const { detail, error } = answer;
  if (typeof detail === 'string') return detail;
  // A list is FastAPI's own validation, and quotes the whole request.
  if (Array.isArray(detail)) return '';
  if (typeof error === 'string') return error;
  if (!isRecord(error)) return null;
  return [error['code'], error['type'], error['message']].filter((word) => typeof word === 'string').join(' ');
}
