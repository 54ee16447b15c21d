import { ConfigError, type Environment } from '@kinora/service-kit';
import { loadEngines } from '../engines/load-engines';
import { readHashLists } from '../image/hash-list';
import { ImageHashEngine } from '../image/image-hash.engine';
import { readTestImage, TEST_IMAGE_REASON, toKnownImage } from '../image/known-image';
import { readLexicon } from '../text/lexicon';
import { readOperatorTerms } from '../text/operator-terms';
import { TextRulesEngine } from '../text/text-rules.engine';
import type { Engines } from '../judging/engine';
import { openModerationFile } from '../judging/moderation-file';

interface EnginesConfig {
  configDir: string;
  environment: Environment;
  profile: 'local' | 'production';
}

/**
 * The built-in engines of every installation and those of the operator. No setting disables a built-in engine: moderation
 * cannot be switched off.
 * @throws ConfigError that names the first wrong line of the operator's file, or the engine that production lacks.
 */
export async function buildEngines({ configDir, environment, profile }: EnginesConfig): Promise<Engines> {
  const file = openModerationFile(configDir, environment);
  const { terms, shortWords } = readLexicon();
  const lexicon = { terms: file ? [...terms, ...readOperatorTerms(file)] : terms, shortWords };
  const lists = file ? readHashLists(file) : [];
  const added = file ? loadEngines(file) : [];
  const addedFor = (judged: 'text' | 'image') => added.filter((service) => service.judges(judged));
  if (profile === 'production' && addedFor('image').length === 0)
    throw new ConfigError(
      'moderation.yaml: engines: production needs an engine that judges images (openai, azure, http); rules and hashes recognise known content only',
    );
  const testImage = await toKnownImage(TEST_IMAGE_REASON, await readTestImage());
  return {
    text: [new TextRulesEngine(lexicon), ...addedFor('text').map(({ textEngine }) => textEngine)],
    image: [new ImageHashEngine([testImage], lists), ...addedFor('image').map(({ imageEngine }) => imageEngine)],
  };
}
