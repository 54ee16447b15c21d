import { readLexicon } from '../lexicon';
import { TextRulesEngine } from '../text-rules.engine';
import { benignPrompts } from './benign-prompts.fixtures';
import { composedVariants, SINGLE_EVASIONS, singleVariants, type Variant } from './evasions.fixtures';
import { numericPrompts } from './numeric-prompts.fixtures';
import { TEST_BLOCKED_TERMS, TEST_LEXICON, TEST_MINOR_TERMS, TEST_SEXUAL_TERMS } from './test-lexicon.fixture';

/** A slice of what `npm run bench:moderation` measures, with bounds of its own. */
const COMPOSED = 1_000;
const MIN_COMPOSED_RECALL = 0.995;
const NUMERIC = 10_000;
/** An id of many letters and figures may hold a short word by chance. */
const MAX_NUMERIC_REFUSED_IN_SCENES = 0.002;

const { terms, shortWords } = readLexicon();
const engine = new TextRulesEngine({ terms: [...terms, ...TEST_LEXICON.terms], shortWords });

async function refusedOf(prompts: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const text of prompts) if ((await engine.findObjection({ param: 'prompt', text })) !== null) refused.push(text);
  return refused;
}

async function notBlocked(variants: readonly Variant[], reason: string): Promise<Variant[]> {
  const missed: Variant[] = [];
  for (const variant of variants) {
    const text = `a lighthouse at dusk, ${variant.text} on canvas`;
    if ((await engine.findObjection({ param: 'prompt', text })) !== reason) missed.push(variant);
  }
  return missed;
}

describe('evasions', () => {
  it('are all seen through, each alone', async () => {
    const variants = singleVariants(TEST_BLOCKED_TERMS, 1, 1);

    expect(new Set(variants.map(({ evasion }) => evasion)).size).toBe(SINGLE_EVASIONS.length);
    expect(await notBlocked(variants, 'test_word')).toEqual([]);
  });

  it('do not hide that a minor and something sexual meet', async () => {
    const minors = singleVariants(TEST_MINOR_TERMS, 1, 2);
    const sexual = singleVariants(TEST_SEXUAL_TERMS, 1, 3);
    const pairs = minors.map(({ evasion, text }, at) => ({
      evasion,
      text: `${text} at sea, ${sexual[at]?.text ?? ''}`,
    }));

    expect(await notBlocked(pairs, 'minor_sexualized')).toEqual([]);
  });

  it('are seen through two at a time, with hardly an exception', async () => {
    const variants = composedVariants(TEST_BLOCKED_TERMS, 1, 4);
    const step = variants.length / COMPOSED;
    const slice = Array.from({ length: COMPOSED }, (_, at) => variants[Math.floor(at * step)]).filter(
      (variant) => variant !== undefined,
    );

    const missed = await notBlocked(slice, 'test_word');

    expect(slice).toHaveLength(COMPOSED);
    expect(1 - missed.length / COMPOSED).toBeGreaterThanOrEqual(MIN_COMPOSED_RECALL);
  });
});

describe('benign prompts', () => {
  it('pass although they look close', async () => {
    expect((await refusedOf(benignPrompts(500, 5))).length).toBeLessThanOrEqual(5);
  });

  it('pass whatever numbers they hold', async () => {
    const { alone, inScenes } = numericPrompts(NUMERIC, 6);

    expect(await refusedOf(alone)).toEqual([]);
    expect((await refusedOf(inScenes)).length / NUMERIC).toBeLessThanOrEqual(MAX_NUMERIC_REFUSED_IN_SCENES);
  });
});
