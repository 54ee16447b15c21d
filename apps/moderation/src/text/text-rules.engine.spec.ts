import { BENIGN_PROMPTS } from '../../test/benign-prompts.fixture';
import { TEST_TEXT, readLexicon } from './lexicon';
import { PromptScreening } from './prompt-screening';
import { TextRulesEngine } from './text-rules.engine';

const { terms, shortWords } = readLexicon();
const engine = new TextRulesEngine({
  terms: [
    ...terms,
    ...['blorf', 'Grüne Wimpelkatze', 'vizzle-worp', 'b4nk', 'baffle', 'todsa', '禁詞', '금지어'].map((text) => ({
      kind: 'blocked' as const,
      text,
      reason: 'operator_term',
    })),
  ],
  shortWords,
});

const screening = new PromptScreening({ terms, shortWords });

function objectionTo(text: string, param = 'prompt'): string | null {
  return engine.judge({ param, text }).objection;
}

const letters = [...TEST_TEXT];

/** Those that `evasions.spec.ts` does not make of every term. */
const disguises: Record<string, string> = {
  'as it is': TEST_TEXT,
  'inside a sentence': `a lighthouse at dusk, ${TEST_TEXT}, oil on canvas`,
  'inside a word': `light${TEST_TEXT}house`,
  'without separators': TEST_TEXT.replaceAll('-', ''),
  'other separators': TEST_TEXT.replaceAll('-', ' _~* '),
  'cut anywhere': `${TEST_TEXT.slice(0, 9)} ${TEST_TEXT.slice(9, 20)}\n${TEST_TEXT.slice(20)}`,
  'repeated letters': letters.map((letter) => letter.repeat(3)).join(''),
  Greek: 'ΚΙΝΟRΑ-ΜΟDΕRΑΤΙΟΝ-ΤΕSΤ-ΒLΟCΚ',
  'lower-case Greek': 'κιnοrα-mοdεrατιοn-τεsτ-blοcκ',
  Cherokee: 'KINOᏒA-MODᎬᏒATION-TᎬST-ᏴᏞOᏟK',
  'small Cherokee': 'KIɴOꮢA-MOꭰꭼꮢAꭲION-ꭲꭼꮪꭲ-ᏼꮮOꮯK',
  'flags and boxes between': letters.join('🇩🇪1️⃣'),
  'tags of forums': letters.map((letter) => `[b]${letter}[/b]`).join(''),
  'long tags': letters.join(`<span class="${'x'.repeat(200)}">`),
  'octal escapes': letters.map((letter) => `\\${letter.charCodeAt(0).toString(8)}`).join(''),
  'base64 twice': base64(base64(TEST_TEXT)),
  'base64 in lines': (base64(TEST_TEXT).match(/.{1,12}/g) ?? []).join('\n'),
  'base64 in groups': (base64(TEST_TEXT).match(/.{1,4}/g) ?? []).join(' '),
  'base64 in single letters': [...base64(TEST_TEXT)].join(' '),
  'base64 backwards': [...base64(TEST_TEXT)].reverse().join(''),
  'hexadecimal bytes with marks': numbers(16, '#'),
  'hexadecimal bytes in a list': numbers(16, '0x', ', '),
  'binary bytes with marks': numbers(2, '0b'),
  'octal bytes with marks': numbers(8, '0o'),
  'pairs exchanged': TEST_TEXT.replaceAll('-', '').replace(/(.)(.)/g, '$2$1'),
  'one key to the right': 'lompts-zpfrtsyopm-yrdy-napvl',
  'selectors of Mongolian': letters.join('\u180b'),
  'inside a long tag': `<x ${'boat '.repeat(10)}${TEST_TEXT} ${'boat '.repeat(10)}>`,
  'a long tag that nothing closes': `${TEST_TEXT.slice(0, 9)}<span ${TEST_TEXT.slice(9)}`,
  'base64 of two bytes a letter': Buffer.from(TEST_TEXT, 'utf16le').toString('base64'),
  'half overridden': `${TEST_TEXT.slice(0, 12)}\u202e${[...TEST_TEXT.slice(12)].reverse().join('')}\u202c`,
  'half at the end of a long override': `\u202e${[...`${'boat '.repeat(10)}${TEST_TEXT.slice(0, 12)}`].reverse().join('')}\u202c${TEST_TEXT.slice(12)}`,
  figures: 'K1N0R4-M0D3R4710N-7357-8L0CK',
  signs: 'K!N0R@-M0DER@T!0N-TE$T-B|0CK',
  'everything at once': 'К\u200b1.Ń..0..R_@ м0ԁ3яᴀ+!οɴ\u202d ⓣⓔⓢⓢⓣ \u00ad ｂ|Ⓞⓞ©k'.replace('©', 'c'),
};

/** The letters as numbers, in the form of a program. */
function numbers(radix: number, mark: string, between = ' '): string {
  const written = letters.map((letter) => letter.charCodeAt(0).toString(radix));
  return written.map((digits) => mark + (radix === 2 ? digits.padStart(8, '0') : digits)).join(between);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('text rules', () => {
  it.each(Object.entries(disguises))('block the test text: %s', (_disguise, text) => {
    expect(objectionTo(text)).toBe('test_text');
  });

  it('block the test text in a negative prompt too', () => {
    expect(objectionTo(`blurry, ${TEST_TEXT}`, 'negative_prompt')).toBe('test_text');
  });

  it.each([
    'a blorf in a meadow',
    'BLORF',
    'a blooorf!',
    'b l o r f',
    'b-l-o-r-f',
    'bl.orf',
    'b10rf',
    'бlοrf',
    'my blorf.jpg',
    'a grune wimpel-katze',
    'GRÜNEWIMPELKATZE',
    'eine grüne\nwimpel katze',
    'vizzle worp',
    'vi zzlew orp',
    'vizzleworping',
    'the b4nk',
    'a=baffle',
    '&blorf;',
    'two blorfs sail',
    'superblorf',
    'blorfpunk',
    'vizzleworpphoto',
    'hottodsa',
    't o d s a',
    'grune w*mp*lk*tz*',
    '這句有禁詞在裡面',
    '이 금지어를 봐',
  ])("block an operator's term: %s", (text) => {
    expect(objectionTo(text)).toBe('operator_term');
  });

  it.each(['blorfing', 'anablorf', 'blof', 'bank', 'an ab lo or f', 'grüne katze', 'vizzle', 'revizzleworpt'])(
    "pass what only resembles an operator's term: %s",
    (text) => {
      expect(objectionTo(text)).toBeNull();
    },
  );

  it('block a term for a minor together with a sexual one, and neither alone', () => {
    expect(objectionTo('nude child')).toBe('minor_sexualized');
    expect(objectionTo('a ch1ld, e r o t i c')).toBe('minor_sexualized');
    expect(objectionTo('a child')).toBeNull();
    expect(objectionTo('a nude, charcoal study')).toBeNull();
  });

  it('pass a negative prompt with both, since it names what the image must not show', () => {
    expect(objectionTo('nude, child, blurry', 'negative_prompt')).toBeNull();
  });

  it('judge a text the second time like the first, although its words are cached', () => {
    const fresh = (text: string) => new PromptScreening({ terms: known, shortWords: [] }).screen(text);
    const known = [{ kind: 'blocked' as const, text: 'zorblequark', reason: 'known' }];
    const used = new PromptScreening({ terms: known, shortWords: [] });
    const texts = ['a z*rblequark', 'a zorblequarq', 'a zroblequark', 'a zebra', 'zebra zorbelquark zebra'];
    const first = texts.map((text) => used.screen(text));

    expect(texts.map((text) => used.screen(text))).toEqual(first);
    expect(texts.map(fresh)).toEqual(first);
    expect(first.map(({ blockedReason }) => blockedReason)).toEqual(['known', 'known', 'known', null, 'known']);
  });

  it.each(BENIGN_PROMPTS)('let pass: %s', (prompt) => {
    expect(objectionTo(prompt)).toBeNull();
  });

  it.each([
    ['one letter', 'a'.repeat(3000)],
    ['two letters in turn', 'kin'.repeat(1000)],
    ['almost the test text', 'KINORA-MODERATION-TEST-BLOC'.repeat(110)],
    ['spaces', ' '.repeat(3000)],
    ['invisible characters', '\u200b'.repeat(3000)],
    ['astral characters', '🅺'.repeat(3000)],
  ])('judge the longest prompt quickly: %s', (_name, text) => {
    // Processor time, and the fastest of three runs, because other processes use this machine too.
    const takenMs = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      screening.screen(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...takenMs)).toBeLessThan(250);
  });
});
