import {
  type Variant,
  composedVariants,
  singleVariants,
} from '../../../apps/moderation/test/evasions/evasions.fixtures';
import { benignPrompts } from '../../../apps/moderation/test/evasions/benign-prompts.fixtures';
import { numericPrompts } from '../../../apps/moderation/test/evasions/numeric-prompts.fixtures';
import {
  TEST_BLOCKED_TERMS,
  TEST_LEXICON,
  TEST_MINOR_TERMS,
  TEST_SEXUAL_TERMS,
} from '../../../apps/moderation/test/evasions/test-lexicon.fixture';
import { readLexicon } from '../../../apps/moderation/src/text/lexicon';
import { TextRulesEngine } from '../../../apps/moderation/src/text/text-rules.engine';
import { percentile } from '../load';
import { longPrompts } from './long-prompts';

/** The number of passes over all prompts. The shortest time of a prompt counts; the others include time of other programs. */
const TIMES = 5;

export interface Recall {
  variants: number;
  evasions: number;
  /** By evasion, the share of its variants that were blocked. */
  byEvasion: Map<string, number>;
  share: number;
}

export function makeEngine(): TextRulesEngine {
  const { terms, shortWords } = readLexicon();
  return new TextRulesEngine({ terms: [...terms, ...TEST_LEXICON.terms], shortWords });
}

/** Every evasion alone: of a term that is always blocked, and of a pair of terms that is blocked only together. */
export function measureSingleRecall(engine: TextRulesEngine, rounds: number): Recall {
  const blocked = singleVariants(TEST_BLOCKED_TERMS, rounds, 1);
  const minors = singleVariants(TEST_MINOR_TERMS, rounds, 2);
  const sexual = singleVariants(TEST_SEXUAL_TERMS, rounds, 3);
  const pairs = minors.map(({ evasion, text }, at) => ({
    evasion,
    text: `${text} at a lighthouse, ${sexual[at]?.text}`,
  }));
  return measureRecall(engine, [...blocked, ...pairs]);
}

export function measureComposedRecall(engine: TextRulesEngine, rounds: number): Recall {
  return measureRecall(engine, composedVariants(TEST_BLOCKED_TERMS, rounds, 4));
}

/**
 * Harmless prompts that resemble blocked ones, as many with numbers, and as many of these in scenes that could mislead the
 * matcher.
 */
export function harmlessPrompts(count: number): Record<'benign prompts' | 'numbers' | 'numbers in scenes', string[]> {
  const { alone, inScenes } = numericPrompts(count, 9);
  return { 'benign prompts': benignPrompts(count, 5), numbers: alone, 'numbers in scenes': inScenes };
}

export function findRefused(engine: TextRulesEngine, prompts: readonly string[]): string[] {
  return prompts.filter((text) => engine.judge({ param: 'prompt', text }).objection !== null);
}

export interface Percentiles {
  p50: number;
  p99: number;
  max: number;
}

/** Milliseconds of processor time, which other programs affect less than wall time, for prompts of the greatest length. */
export function measureScreeningMs(engine: TextRulesEngine): [kind: string, cpuMs: Percentiles][] {
  const measured: [string, Percentiles][] = [];
  for (const [kind, prompts] of Object.entries(longPrompts())) {
    for (const text of prompts) engine.judge({ param: 'prompt', text });
    const times = prompts.map((text) => quickestMs(() => engine.judge({ param: 'prompt', text })));
    measured.push([kind, percentilesOf(times)]);
  }
  return measured;
}

function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((one, other) => one - other);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: percentile(sorted, 1) };
}

function measureRecall(engine: TextRulesEngine, variants: readonly Variant[]): Recall {
  const counts = new Map<string, { blocked: number; all: number }>();
  for (const { evasion, text: disguised } of variants) {
    const count = counts.get(evasion) ?? { blocked: 0, all: 0 };
    const text = `a lighthouse at dusk, ${disguised} on canvas`;
    const { objection: reason } = engine.judge({ param: 'prompt', text });
    counts.set(evasion, { blocked: count.blocked + (reason === null ? 0 : 1), all: count.all + 1 });
  }
  const blocked = [...counts.values()].reduce((sum, count) => sum + count.blocked, 0);
  return {
    variants: variants.length,
    evasions: counts.size,
    byEvasion: new Map([...counts].map(([evasion, count]) => [evasion, count.blocked / count.all])),
    share: blocked / variants.length,
  };
}

function quickestMs(work: () => unknown): number {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TIMES; time++) {
    const usedBefore = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(usedBefore);
    bestMs = Math.min(bestMs, (user + system) / 1_000);
  }
  return bestMs;
}
