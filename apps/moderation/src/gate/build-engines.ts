import { toKnownImage } from '../image/known-image';
import { ImageHashEngine } from '../image/image-hash.engine';
import { readTestPicture } from '../image/test-picture';
import { LEXICON } from '../text/lexicon';
import { loadOperatorTerms } from '../text/operator-terms';
import { TextRulesEngine } from '../text/text-rules.engine';
import type { Engines } from './engine';

/**
 * The engines that every installation has. Nothing here asks whether one is wanted: moderation cannot be switched off.
 * @throws ConfigError that names the first wrong line of the operator's file.
 */
export async function buildEngines(configDir: string): Promise<Engines> {
  const operatorTerms = loadOperatorTerms(configDir);
  const operatorRule = { reason: 'operator_term', groups: [operatorTerms] };
  const testPicture = await toKnownImage('test_picture', await readTestPicture());
  return {
    text: [new TextRulesEngine([...LEXICON, operatorRule])],
    image: [new ImageHashEngine([testPicture])],
  };
}
