import { findMinorAges } from './age-mentions';
import { readingsOf } from './decode-text';
import { type FoldedText, foldDistinct, foldText } from './folded-text';
import type { Lexicon, LexiconTerm, TermKind } from './lexicon';
import { MisspelledWords } from './misspelled-words';
import { type Mention, type SearchedTerm, TermFinder } from './term-finder';
import { wordsOf } from './term-spellings';

/** The largest distance in characters of terms that count only near each other. */
const NEAR_CHARS = 60;
const DISGUISED: readonly TermKind[] = ['blocked', 'minor', 'minor_nearby', 'sexual', 'sexual_nearby'];

interface Term extends SearchedTerm {
  kind: TermKind;
  reason: string;
}
type Found = Mention<Term>;

interface Reading {
  text: FoldedText;
  /** Without those inside an innocent phrase. */
  mentions: readonly Found[];
}

/** The result of all readings of a text. */
interface Screening {
  /** The reason code of a blocked term, or null. */
  blockedReason: string | null;
  /** Whether the text combines a minor and something sexual. */
  sexualizesMinor: boolean;
  /** Whether the text mentions a minor, a childhood or an age under eighteen. */
  mentionsMinor: boolean;
}

/** Reads a copy of a text in every way in which the lexicon's terms can be disguised. The model receives the original text. */
export class PromptScreening {
  private readonly finder: TermFinder<Term>;
  private readonly misspelled: MisspelledWords;

  constructor(
    { terms, shortWords }: Lexicon,
    private readonly thisYear = (): number => new Date().getUTCFullYear(),
  ) {
    const searched = terms.map(toSearched);
    this.finder = new TermFinder(searched, shortWords);
    this.misspelled = new MisspelledWords(
      searched.filter(({ isDisguised }) => isDisguised).flatMap(({ text }) => wordsOf(text)),
      new Set(searched.filter(({ kind }) => kind === 'innocent').map(({ text }) => text)),
    );
  }

  screen(text: string): Screening {
    const readings = this.readAll(text);
    return {
      blockedReason: findBlocked(readings)?.reason ?? null,
      sexualizesMinor: sexualizesMinor(readings, this.thisYear()),
      mentionsMinor: mentionsMinor(readings, this.thisYear()),
    };
  }

  private readAll(text: string): Reading[] {
    const folded = foldDistinct(readingsOf(text));
    return [...folded, ...this.misspelled.repair(folded).map(foldText)].map((reading) => this.read(reading));
  }

  private read(text: FoldedText): Reading {
    return { text, mentions: withoutInnocent(this.finder.find(text), text.codes.length) };
  }
}

function toSearched({ text, kind, reason = 'operator_term' }: LexiconTerm): Term {
  return { text, kind, reason, isDisguised: DISGUISED.includes(kind), isJoined: kind === 'common' };
}

function findBlocked(readings: readonly Reading[]): Term | null {
  for (const { mentions } of readings) {
    for (const { term } of mentions) if (term.kind === 'blocked') return term;
  }
  return null;
}

function sexualizesMinor(readings: readonly Reading[], thisYear: number): boolean {
  const has = (kind: TermKind): boolean =>
    readings.some(({ mentions }) => mentions.some(({ term }) => term.kind === kind));
  const isSexual = has('sexual');
  if (!isSexual && !has('sexual_nearby')) return false;
  if (isSexual && has('minor')) return true;
  return readings.some(({ text, mentions }) => {
    const ages = findMinorAges(text, mentions, thisYear);
    const of = (kind: TermKind): Found[] => mentions.filter(({ term }) => term.kind === kind);
    return (
      (isSexual && ages.length > 0) ||
      areNear(of('minor_nearby'), of('sexual')) ||
      areNear([...of('minor'), ...ages], of('sexual_nearby'))
    );
  });
}

function mentionsMinor(readings: readonly Reading[], thisYear: number): boolean {
  return readings.some(
    ({ text, mentions }) =>
      mentions.some(({ term }) => term.kind === 'minor' || term.kind === 'minor_nearby') ||
      findMinorAges(text, mentions, thisYear).length > 0,
  );
}

/** Removes terms inside an innocent phrase, except blocked ones. */
function withoutInnocent(mentions: readonly Found[], length: number): readonly Found[] {
  const innocent = mentions.filter(({ term }) => term.kind === 'innocent');
  if (innocent.length === 0) return mentions;
  const furthestEnd = new Array<number>(length).fill(0);
  for (const { from, to } of innocent) furthestEnd[from] = Math.max(furthestEnd[from] ?? 0, to);
  for (let at = 1; at < length; at++) furthestEnd[at] = Math.max(furthestEnd[at] ?? 0, furthestEnd[at - 1] ?? 0);
  return mentions.filter(({ term, from, to }) => term.kind === 'blocked' || (furthestEnd[from] ?? 0) < to);
}

function areNear(some: readonly Found[], others: readonly Found[]): boolean {
  const places = [
    ...some.map(({ from, to }) => ({ from, to, isSome: true })),
    ...others.map(({ from, to }) => ({ from, to, isSome: false })),
  ].sort((one, other) => one.from - other.from);
  return places.some((place, index) => {
    const before = places[index - 1];
    return before !== undefined && before.isSome !== place.isSome && place.from - before.to <= NEAR_CHARS;
  });
}
