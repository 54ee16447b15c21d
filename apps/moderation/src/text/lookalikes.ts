import { readFileSync } from 'node:fs';
import path from 'node:path';

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
export const LOOKALIKES: Lookalikes = readLookalikes([
  'drawings.json',
  'letter-names.json',
  'unicode-confusables.json',
]);

/** Letters of unspaced scripts that stand for Latin ones in a disguise, and for themselves in their own language. */
export const UNSPACED_LOOKALIKES: Lookalikes = readLookalikes(['unspaced-drawings.json']);

function readLookalikes(files: readonly string[]): Lookalikes {
  const lookalikes = new Map<string, string>();
  for (const file of files) {
    const { letters } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as LookalikesFile;
    for (const [readAs, characters] of Object.entries(letters)) {
      for (const character of characters) {
        if (!lookalikes.has(character)) lookalikes.set(character, readAs);
      }
    }
  }
  return lookalikes;
}
