/** The names of letters in radio alphabets, with their spelling variants. */
const NAMES =
  'alfa|alpha bravo charlie|charly delta echo foxtrot golf hotel india juliett|juliet|juliette kilo lima mike november oscar papa quebec romeo sierra tango uniform victor|viktor whiskey|whisky xray|x-ray|x_ray yankee zulu'.split(
    ' ',
  );
const A = 97;
const LETTER_BY_NAME = new Map(
  NAMES.flatMap((names, index) => names.split('|').map((name) => [name, String.fromCharCode(A + index)] as const)),
);
const NAME = `(?:${[...LETTER_BY_NAME.keys()].toSorted((one, other) => other.length - one.length).join('|')})`;
/** At least three names: two in a row may be ordinary words, such as a dance or a hotel, and no relevant term is so short. */
const SPELLED = new RegExp(`(?<![a-z])${NAME}(?:[^a-z]{1,3}${NAME}){2,}(?![a-z])`, 'gi');
const EACH_NAME = new RegExp(NAME, 'gi');

/** Decodes words that are spelled with the names of letters. */
export function readSpelledByNames(text: string): string[] {
  return (text.match(SPELLED) ?? []).map((spelled) =>
    spelled.replace(EACH_NAME, (name) => LETTER_BY_NAME.get(name.toLowerCase()) ?? '').replace(/[^a-z]/g, ''),
  );
}
