import { toKnownImage } from '../image/known-image';
import { ImageHashEngine } from '../image/image-hash.engine';
import { readTestPicture } from '../image/test-picture';
import { readLexicon } from '../text/lexicon';
import { loadOperatorTerms } from '../text/operator-terms';
import { TextRulesEngine } from '../text/text-rules.engine';
import type { Engines } from './engine';

/**
 * The engines that every installation has. Nothing here asks whether one is wanted: moderation cannot be switched off.
 * @throws ConfigError that names the first wrong line of the operator's file.
 */
export async function buildEngines(configDir: string): Promise<Engines> {
  const { terms, shortWords } = readLexicon();
  const lexicon = { terms: [...terms, ...loadOperatorTerms(configDir)], shortWords };
  const testPicture = await toKnownImage('test_picture', await readTestPicture());
  return {
    text: [new TextRulesEngine(lexicon)],
    image: [new ImageHashEngine([testPicture])],
  };
}
