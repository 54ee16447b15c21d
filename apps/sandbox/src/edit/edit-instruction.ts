import { type EditOperation } from './edit-operation';
import { JOIN_OPERATIONS } from './operations/join-operations';
import { SHAPE_OPERATIONS } from './operations/shape-operations';
import { TEXTURE_OPERATIONS } from './operations/texture-operations';
import { TONE_OPERATIONS } from './operations/tone-operations';
import { WEATHER_OPERATIONS } from './operations/weather-operations';

/** One thing that an instruction asks for. */
export interface EditStep {
  readonly operation: EditOperation;
  readonly match: RegExpMatchArray;
  readonly amount: number;
}

const OPERATIONS: readonly EditOperation[] = [
  ...TONE_OPERATIONS,
  ...SHAPE_OPERATIONS,
  ...TEXTURE_OPERATIONS,
  ...WEATHER_OPERATIONS,
  ...JOIN_OPERATIONS,
];
const LESS =
  /\b(?:slight(?:ly)?|a (?:little|bit|touch|hint)(?: of)?|subtl[ey]|somewhat|gentl[ey]|light(?:ly)?)(?: \w+)?\s*$/;
const MORE =
  /\b(?:very|much|strong(?:ly)?|heav(?:y|ily)|a lot(?: of)?|extreme(?:ly)?|intense(?:ly)?|really|far)(?: \w+)?\s*$/;
const NEGATION = /\b(?:no|not|without|don't|do not|never|avoid)(?: \w+){0,2}\s*$/;

/** Finds what an instruction asks for, in its order. What the negative prompt names is not done. */
export function readInstruction(instruction: string, negativePrompt: string): EditStep[] {
  const unwanted = new Set(matchesIn(negativePrompt.toLowerCase()).map(({ operation }) => operation.name));
  const text = instruction.toLowerCase();
  const steps = matchesIn(text)
    .map(({ operation, match, index }) => ({ operation, match, before: text.slice(Math.max(0, index - 28), index) }))
    .filter(({ operation, before }) => !unwanted.has(operation.name) && !NEGATION.test(before))
    .map(({ operation, match, before }) => ({
      operation,
      match,
      amount: LESS.test(before) ? 0.5 : MORE.test(before) ? 1.7 : 1,
    }));
  // Saying the same in two words ("comic halftone") does not ask for it twice.
  return steps.filter(({ operation }, i) => steps.findIndex((step) => step.operation === operation) === i);
}

interface Found {
  readonly operation: EditOperation;
  readonly match: RegExpMatchArray;
  readonly index: number;
}

/** Of matches that share words the longest counts: "less contrast" is not also "contrast". */
function matchesIn(text: string): Found[] {
  const found = OPERATIONS.flatMap((operation) =>
    [...text.matchAll(operation.pattern)].map((match) => ({ operation, match, index: match.index })),
  );
  const taken: Found[] = [];
  for (const candidate of found.sort((a, b) => b.match[0].length - a.match[0].length)) {
    if (!taken.some((other) => overlaps(candidate, other))) taken.push(candidate);
  }
  return taken.sort((a, b) => a.index - b.index);
}

function overlaps(a: Found, b: Found): boolean {
  return a.index < b.index + b.match[0].length && b.index < a.index + a.match[0].length;
}
