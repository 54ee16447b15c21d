import { type Element, type Meaning } from './lexicon';
import { type Mention, readMentions } from './mentions';

/** The content of a prompt and its negative prompt, before anything is decided. */
export interface PromptReading {
  /** What the image shows, in the order of the words. */
  readonly wanted: readonly Mention[];
  readonly meanings: readonly Meaning[];
  /** What the image must not show, from either prompt. */
  readonly unwanted: readonly Meaning[];
}

export function readPrompt(prompt: string, negativePrompt: string): PromptReading {
  const mentions = readMentions(prompt);
  const refused = [...mentions.filter(({ negated }) => negated), ...readMentions(negativePrompt)];
  const unwanted = refused.flatMap(({ meanings }) => meanings);
  const isUnwanted = (meaning: Meaning): boolean => unwanted.some((other) => isSame(meaning, other));
  const wanted = mentions.filter(({ negated, meanings }) => !negated && !meanings.some(isUnwanted));
  return { wanted, meanings: wanted.flatMap(({ meanings }) => meanings), unwanted };
}

export function ofKind<Kind extends Meaning['kind']>(
  meanings: readonly Meaning[],
  kind: Kind,
): Extract<Meaning, { kind: Kind }>[] {
  return meanings.filter((meaning): meaning is Extract<Meaning, { kind: Kind }> => meaning.kind === kind);
}

export function hasElement(meanings: readonly Meaning[], element: Element): boolean {
  return ofKind(meanings, 'element').some((meaning) => meaning.element === element);
}

/** Meanings are plain values, so equal ones have equal JSON. */
function isSame(a: Meaning, b: Meaning): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
