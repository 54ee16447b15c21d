import { readLexicon } from '../../src/text/lexicon';
import { TextRulesEngine } from '../../src/text/text-rules.engine';
import { benignPrompts } from './benign-prompts.fixtures';
import { composedVariants, SINGLE_EVASIONS, singleVariants, type Variant } from './evasions.fixtures';
import { numericPrompts } from './numeric-prompts.fixtures';
import { TEST_BLOCKED_TERMS, TEST_LEXICON, TEST_MINOR_TERMS, TEST_SEXUAL_TERMS } from './test-lexicon.fixture';

const COMPOSED = 1_000;
const MIN_COMPOSED_RECALL = 0.995;
const NUMERIC = 10_000;
/** A long id of letters and figures may contain a short word by chance. */
const MAX_NUMERIC_REFUSED_IN_SCENES = 0.002;

const { terms, shortWords } = readLexicon();
const engine = new TextRulesEngine({ terms: [...terms, ...TEST_LEXICON.terms], shortWords });

function refusedOf(prompts: readonly string[]): string[] {
  return prompts.filter((text) => engine.judge({ param: 'prompt', text }).objection !== null);
}

function notBlocked(variants: readonly Variant[], reason: string): Variant[] {
  return variants.filter(
    ({ text }) =>
      engine.judge({ param: 'prompt', text: `a lighthouse at dusk, ${text} on canvas` }).objection !== reason,
  );
}

describe('evasions', () => {
  it('are all detected, each alone', () => {
    const variants = singleVariants(TEST_BLOCKED_TERMS, 1, 1);

    expect(new Set(variants.map(({ evasion }) => evasion)).size).toBe(SINGLE_EVASIONS.length);
    expect(notBlocked(variants, 'test_word')).toEqual([]);
  });

  it('do not hide the combination of a minor and something sexual', () => {
    const minors = singleVariants(TEST_MINOR_TERMS, 1, 2);
    const sexual = singleVariants(TEST_SEXUAL_TERMS, 1, 3);
    const pairs = minors.map(({ evasion, text }, at) => ({
      evasion,
      text: `${text} at sea, ${sexual[at]?.text ?? ''}`,
    }));

    expect(notBlocked(pairs, 'minor_sexualized')).toEqual([]);
  });

  it('are detected in pairs, with few exceptions', () => {
    const variants = composedVariants(TEST_BLOCKED_TERMS, 1, 4);
    const step = variants.length / COMPOSED;
    const slice = Array.from({ length: COMPOSED }, (_, at) => variants[Math.floor(at * step)]).filter(
      (variant) => variant !== undefined,
    );

    const missed = notBlocked(slice, 'test_word');

    expect(slice).toHaveLength(COMPOSED);
    expect(1 - missed.length / COMPOSED).toBeGreaterThanOrEqual(MIN_COMPOSED_RECALL);
  });
});

describe('benign prompts', () => {
  it('pass although they resemble blocked ones', () => {
    expect(refusedOf(benignPrompts(500, 5)).length).toBeLessThanOrEqual(5);
  });

  it('pass with any numbers', () => {
    const { alone, inScenes } = numericPrompts(NUMERIC, 6);

    expect(refusedOf(alone)).toEqual([]);
    expect(refusedOf(inScenes).length / NUMERIC).toBeLessThanOrEqual(MAX_NUMERIC_REFUSED_IN_SCENES);
  });
});
