/** Something that an instruction can ask for, and the words that do. */
export interface EditPhrase {
  readonly name: string;
  /** Matches the words in an instruction in lower case; must be global. */
  readonly pattern: RegExp;
}

export interface PhraseMatch<Known extends EditPhrase> {
  readonly phrase: Known;
  readonly match: RegExpMatchArray;
  /** 1 by default; less for "slightly", more for "strongly". */
  readonly amount: number;
}

const LESS =
  /\b(?:slight(?:ly)?|a (?:little|bit|touch|hint)(?: of)?|subtl[ey]|somewhat|gentl[ey]|light(?:ly)?)(?: \w+)?\s*$/;
const MORE =
  /\b(?:very|much|strong(?:ly)?|heav(?:y|ily)|a lot(?: of)?|extreme(?:ly)?|intense(?:ly)?|really|far)(?: \w+)?\s*$/;
const NEGATION = /\b(?:no|not|without|don't|do not|never|avoid)(?: \w+){0,2}\s*$/;

/** Finds what an instruction asks for, in its order, without what the negative prompt names. */
export function matchPhrases<Known extends EditPhrase>(
  known: readonly Known[],
  instruction: string,
  negativePrompt: string,
): PhraseMatch<Known>[] {
  const unwanted = new Set(matchesIn(known, negativePrompt.toLowerCase()).map(({ phrase }) => phrase.name));
  const text = instruction.toLowerCase();
  const phrases = matchesIn(known, text)
    .map(({ phrase, match, index }) => ({ phrase, match, before: text.slice(Math.max(0, index - 28), index) }))
    .filter(({ phrase, before }) => !unwanted.has(phrase.name) && !NEGATION.test(before))
    .map(({ phrase, match, before }) => ({
      phrase,
      match,
      amount: LESS.test(before) ? 0.5 : MORE.test(before) ? 1.7 : 1,
    }));
  // Two phrases for the same thing ("comic halftone") count once.
  return phrases.filter(({ phrase }, i) => phrases.findIndex((other) => other.phrase === phrase) === i);
}

interface Found<Known extends EditPhrase> {
  readonly phrase: Known;
  readonly match: RegExpMatchArray;
  readonly index: number;
}

/** Of overlapping matches the longest counts: "less contrast" is not also "contrast". */
function matchesIn<Known extends EditPhrase>(known: readonly Known[], text: string): Found<Known>[] {
  const found = known.flatMap((phrase) =>
    [...text.matchAll(phrase.pattern)].map((match) => ({ phrase, match, index: match.index })),
  );
  const taken: Found<Known>[] = [];
  for (const candidate of found.sort((a, b) => b.match[0].length - a.match[0].length)) {
    if (!taken.some((other) => overlaps(candidate, other))) taken.push(candidate);
  }
  return taken.sort((a, b) => a.index - b.index);
}

function overlaps(a: Found<EditPhrase>, b: Found<EditPhrase>): boolean {
  return a.index < b.index + b.match[0].length && b.index < a.index + a.match[0].length;
}
