import type { FailureKind } from '../compute-provider.port';

/** What hosted models say when a filter of theirs has found something, in their many ways. */
const OF_A_FILTER = /nsfw|safety|sensitive|content[ _]policy|content[ _]moderation|flagged|prohibited content/i;
const OF_MEMORY = /out of memory|cuda error|oom\b|no space left/i;
const OF_A_MOMENT = /interrupted|please retry|try again|shutting down|worker (died|lost)|connection reset/i;
const OF_TIME = /timed? ?out|deadline exceeded/i;

/**
 * What kind of failure a backend's words for people tell of. They are its only words, so that reading them is a guess; the safe
 * one is fatal. Errors may quote what they are about: the client's own texts are left out, and do not decide.
 */
export function failureKindOf(words: string, ownTexts: string[] = []): FailureKind {
  const told = ownTexts.filter(Boolean).reduce((rest, text) => rest.replaceAll(text, ''), words);
  if (OF_A_FILTER.test(told)) return 'content_rejected';
  if (OF_MEMORY.test(told) || OF_A_MOMENT.test(told)) return 'transient';
  return OF_TIME.test(told) ? 'timeout' : 'fatal';
}
