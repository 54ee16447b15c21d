import { isRecord } from '@kinora/contracts/shared/texts';
import type { ConfigProblem, FieldPath } from '@kinora/service-kit';
import type { Scores } from './engine';
import { versionOf } from './sha256';

export type ContentKind = 'text' | 'image';

/** The score from which a category is an objection. */
export type Thresholds = Readonly<Record<ContentKind, Scores>>;

/** The thresholds that an operator may set, and their defaults. */
export interface ThresholdRules {
  /** Used unless the operator sets another number; a threshold cannot be removed. */
  defaults: Thresholds;
  /** The categories that the engine scores, by kind of content; null where any name is allowed. */
  categories: Readonly<Record<ContentKind, readonly string[]>> | null;
  /** Whether a number lies on the scale, and a score can reach it. */
  isReachable: (threshold: number, category: string) => boolean;
  /** Describes the scale in the error message for the operator. */
  scale: string;
}

/** The operator's thresholds merged over the defaults, and the problems found in them. */
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
  return typeof threshold === 'number' && rules.isReachable(threshold, category) ? null : `must be ${rules.scale}`;
}

function asMap(given: unknown, at: FieldPath, problems: ConfigProblem[]): Record<string, unknown> {
  if (given === undefined) return {};
  if (isRecord(given)) return given;
  problems.push({ path: at, rule: 'must be a map' });
  return {};
}

/** The parts of an external engine's judgement that are known and configured here. */
export interface EnginePolicy {
  /** The name of the engine in decisions and logs. */
  id: string;
  model: string;
  judges: readonly ContentKind[];
  thresholds: Thresholds;
}

export function versionOfEngine({ model, thresholds }: EnginePolicy): string {
  return `${model} ${versionOf(thresholds)}`;
}

export function modelOfVersion(version: string): string {
  return version.slice(0, Math.max(version.lastIndexOf(' '), 0));
}
