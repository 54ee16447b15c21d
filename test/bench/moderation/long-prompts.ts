import { benignPrompts } from '../../../apps/moderation/test/evasions/benign-prompts.fixtures';
import { composedVariants } from '../../../apps/moderation/test/evasions/evasions.fixtures';
import { seededRandom } from '../../../apps/moderation/test/evasions/random.fixtures';
import { TEST_BLOCKED_TERMS, TEST_MINOR_TERMS } from '../../../apps/moderation/test/evasions/test-lexicon.fixture';

/** The longest prompt (API: ImageGenerationBody.prompt). */
const CODE_POINTS = 2_000;
const ORDINARY = 150;

/** Prompts of the greatest length, by kind. */
export function longPrompts(): Record<'ordinary' | 'made to keep a matcher busy' | 'of a hundred disguises', string[]> {
  const benign = benignPrompts(1_500, 6);
  const ordinary = Array.from({ length: ORDINARY }, (_, at) => benign.slice(at * 9, at * 9 + 60).join(', '));
  const disguised = composedVariants(TEST_BLOCKED_TERMS, 1, 7).map(({ text }) => text);
  const manyDisguised = Array.from({ length: 50 }, (_, at) => disguised.slice(at * 40, at * 40 + 100).join(' '));
  return {
    ordinary: ordinary.map(ofFullLength),
    'made to keep a matcher busy': hostile().map(ofFullLength),
    'of a hundred disguises': manyDisguised.map(ofFullLength),
  };
}

/** Prompts that are expensive for a naive matcher. */
function hostile(): string[] {
  const [minor = ''] = TEST_MINOR_TERMS;
  const random = seededRandom(8);
  const anyOf = (characters: string): string =>
    Array.from(
      { length: CODE_POINTS },
      () => [...characters][Math.floor(random() * [...characters].length)] ?? '',
    ).join('');
  return [
    'a',
    'ab',
    ' ',
    'a ',
    '\u200b',
    '\ufdfa',
    '🅺',
    'ᄀ',
    '&amp;',
    '&#99;',
    '%41',
    '<b>',
    '<',
    '\\u0061',
    '12 yo ',
    '12yo',
    `${minor} `,
    minor,
    `${minor.slice(0, -1)} `,
    `${minor.slice(0, 2)}*${minor.slice(3)} `,
    'a b\n',
    '.- ',
    '61 ',
    '97 ',
    '01100001 ',
    'YWJj',
    '\u202eabc\u202c',
    '|-|/\\',
    'minor key naked eye ',
    ...Array.from({ length: 10 }, () => anyOf('abcdefghijklmnopqrstuvwxyz ')),
    ...Array.from({ length: 10 }, () => anyOf('a4@eE3iI1!|l oO0() .-_*')),
    ...Array.from({ length: 10 }, () => anyOf('аеорсухіѕ gribletпунд一二歳の女子아이12 ')),
  ];
}

function ofFullLength(text: string): string {
  return Array.from(text.repeat(Math.ceil(CODE_POINTS / Math.max(1, text.length))))
    .slice(0, CODE_POINTS)
    .join('');
}
