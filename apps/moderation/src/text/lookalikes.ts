import { readFileSync } from 'node:fs';
import path from 'node:path';

const LATIN_LETTER = /^[a-z]$/i;
const LATIN_ALPHABET = /^[\u00c0-\u017f]$/;
const FOLDER = path.join(__dirname, '../../assets/lookalikes');

/** What a person would read a character as, where Unicode's own normalisation does not say so. */
export type Lookalikes = ReadonlyMap<string, string>;

interface LookalikesFile {
  /** Where the letters come from, and whose they are. */
  source: string;
  /** By what they are read as, all characters that are read so. */
  letters: Record<string, string>;
}

/** Of several meanings the first file's counts: what fancy alphabets use, then names, then Unicode's table of confusables. */
const FILES = ['drawings.json', 'letter-names.json', 'unicode-confusables.json'].map(readLookalikes);
export const LOOKALIKES: Lookalikes = new Map(FILES.toReversed().flatMap((file) => [...file]));

/**
 * What a character may be read as instead: a letter of an unspaced script, which stands for itself in its own language,
 * or one that looks like two Latin letters.
 */
export const OTHER_LOOKALIKES: Lookalikes = new Map([
  ...FILES.toReversed().flatMap((file) => [...file].filter(([character, letter]) => isOther(character, letter))),
  ...readLookalikes('other-drawings.json'),
]);

function isOther(character: string, letter: string): boolean {
  return (
    LATIN_LETTER.test(letter) && LOOKALIKES.get(character) !== letter.toLowerCase() && !LATIN_ALPHABET.test(character)
  );
}

function readLookalikes(file: string): Map<string, string> {
  const { letters } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as LookalikesFile;
  return new Map(
    Object.entries(letters).flatMap(([readAs, characters]) =>
      Array.from(characters, (character) => [character, readAs] as const),
    ),
  );
}
