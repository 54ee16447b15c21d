import type { FailureKind } from '../compute-provider.port';

const CONTENT =
  /nsfw|content[ _-]?(policy|filter|moderation)|safety[ _-]?(check|filter|system)|moderation|sensitive content/i;
const MEMORY = /out[ _-]?of[ _-]?memory|\bOOM\b|CUDA error|HIP error/i;

/**
 * What a backend's own words about an error come to; `otherwise` for words that mean neither. They are looked at here and
 * never passed on, since they may quote the prompt: whoever has the prompt takes it out first.
 */
export function failureKindOf(words: string, otherwise: FailureKind): FailureKind {
  if (CONTENT.test(words)) return 'content_rejected';
  return MEMORY.test(words) ? 'transient' : otherwise;
}
