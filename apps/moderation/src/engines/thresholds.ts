import { isRecord } from '@kinora/contracts/shared/is-record';
import type { ConfigProblem, FieldPath } from '@kinora/service-kit';
import type { Scores } from '../judging/engine';

/** What an engine can be shown. */
export type ContentKind = 'text' | 'image';

/** From which score on a category is objected to. */
export type Thresholds = Readonly<Record<ContentKind, Scores>>;

/** What an operator may set, and what is in force where nothing is set. */
export interface ThresholdRules {
  /** In force unless the operator names another number; they cannot be left out. */
  defaults: Thresholds;
  /** The categories that the engine scores, by what it is shown; null where any name may be one. */
  categories: Readonly<Record<ContentKind, readonly string[]>> | null;
  /** Whether a number lies on the scale, low enough that something can still reach it. */
  isReachable: (threshold: number) => boolean;
  /** In words for the operator. */
  scale: string;
}

/** The operator's thresholds over the defaults, and what is wrong with them. */
export function readThresholds(
  given: unknown,
  rules: ThresholdRules,
  at: FieldPath,
): { thresholds: Thresholds; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const byKind = asMap(given, at, problems);
  for (const name of Object.keys(byKind)) {
    if (name !== 'text' && name !== 'image') problems.push({ path: [...at, name], rule: 'must be text or image' });
  }
  const read = (kind: ContentKind): Scores => {
    const own = asMap(byKind[kind], [...at, kind], problems);
    const numbers = Object.entries(own).flatMap(([category, threshold]) => {
      const rule = findProblem(category, threshold, kind, rules);
      if (rule !== null) problems.push({ path: [...at, kind, category], rule });
      return typeof threshold === 'number' ? [[category, threshold] as const] : [];
    });
    return { ...rules.defaults[kind], ...Object.fromEntries(numbers) };
  };
  return { thresholds: { text: read('text'), image: read('image') }, problems };
}

/** The first category whose score has reached its threshold, or null. */
export function findExceeded(scores: Scores, thresholds: Scores): string | null {
  const exceeded = Object.entries(thresholds).find(([category, threshold]) => (scores[category] ?? 0) >= threshold);
  return exceeded?.[0] ?? null;
}

function findProblem(category: string, threshold: unknown, kind: ContentKind, rules: ThresholdRules): string | null {
  if (rules.categories && !rules.categories[kind].includes(category))
    return `must be one of ${rules.categories[kind].join(', ')}`;
  return typeof threshold === 'number' && rules.isReachable(threshold) ? null : `must be ${rules.scale}`;
}

function asMap(given: unknown, at: FieldPath, problems: ConfigProblem[]): Record<string, unknown> {
  if (given === undefined) return {};
  if (isRecord(given)) return given;
  problems.push({ path: at, rule: 'must be a map' });
  return {};
}
