import type { LexiconTerm } from './lexicon';
import { PromptScreening } from './prompt-screening';

const terms: LexiconTerm[] = [
  { kind: 'blocked', text: 'zorblequark', reason: 'test_word' },
  { kind: 'minor', text: 'gribblet' },
  { kind: 'minor_nearby', text: 'yundling' },
  { kind: 'sexual', text: 'vorpine' },
  { kind: 'sexual_nearby', text: 'zindlewick' },
  { kind: 'after_number', text: 'winters' },
  { kind: 'whole', text: 'dozenwintered' },
  { kind: 'innocent', text: 'old gribblet oak' },
  { kind: 'innocent', text: 'zorblequark lamp' },
  { kind: 'innocent', text: 'zorblequirk' },
];
const screening = new PromptScreening({ terms, shortWords: [] });

function sexualizesMinor(text: string): boolean {
  return screening.screen(text).sexualizesMinor;
}

/** The largest number of characters, spaces included, between two terms that are near each other, plus one. */
const NEAR = `${' boat'.repeat(10)} sailboat `;
const FAR = `${' boat'.repeat(12)} `;

describe('prompt screening', () => {
  it.each([
    ['yundling', 'vorpine'],
    ['gribblet', 'zindlewick'],
    ['dozenwintered', 'zindlewick'],
  ])('combines %s and %s only near each other, in any order', (minor, sexual) => {
    expect([`${minor}${NEAR}${sexual}`, `${sexual}${NEAR}${minor}`].map(sexualizesMinor)).toEqual([true, true]);
    expect([`${minor}${FAR}${sexual}`, `${sexual}${FAR}${minor}`].map(sexualizesMinor)).toEqual([false, false]);
  });

  it.each([
    ['gribblet', 'vorpine'],
    ['12 winters', 'vorpine'],
  ])('combines %s and %s at any distance', (minor, sexual) => {
    expect(sexualizesMinor(`${minor}${FAR}${sexual}`)).toBe(true);
  });

  it('passes two weak words, and words of one kind alone', () => {
    const harmless = ['a yundling zindlewick', 'vorpine zindlewick', 'a gribblet yundling', '12 winters, a gribblet'];

    expect(harmless.filter(sexualizesMinor)).toEqual([]);
  });

  it('excuses a word inside an innocent phrase, and only there', () => {
    expect(sexualizesMinor('a vorpine old gribblet oak')).toBe(false);
    expect(sexualizesMinor('a vorpine old gribblet oak and a gribblet')).toBe(true);
  });

  it('does not excuse a blocked term', () => {
    expect(screening.screen('a zorblequark lamp').blockedReason).toBe('test_word');
  });

  it('does not treat an innocent word as a misspelled one', () => {
    const reasons = ['a zorblequirk', 'a zorblequork'].map((text) => screening.screen(text).blockedReason);

    expect(reasons).toEqual([null, 'test_word']);
  });

  it('does not decode an invalid numeric character reference', () => {
    expect(screening.screen('a boat &#9999999; at sea \\u{ffffff} &#x110000;')).toEqual({
      blockedReason: null,
      sexualizesMinor: false,
      mentionsMinor: false,
    });
  });
});
