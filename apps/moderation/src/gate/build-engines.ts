import type { Environment } from '@kinora/service-kit';
import { loadEngines, readEnginePolicies, readLocalPolicy } from '../engines/load-engines';
import { readHashLists } from '../image/hash-list';
import { ImageHashEngine } from '../image/image-hash.engine';
import { LocalImageEngine, localPolicy } from '../image/local-image.engine';
import { readTestImage, TEST_IMAGE_REASON, toKnownImage } from '../image/known-image';
import { readLexicon } from '../text/lexicon';
import { readOperatorTerms } from '../text/operator-terms';
import { TextRulesEngine } from '../text/text-rules.engine';
import type { Engines } from '../judging/engine';
import { type ModerationFile, openModerationFile } from '../judging/moderation-file';

interface EnginesConfig {
  configDir: string;
  environment: Environment;
}

/**
 * The built-in engines of every installation and those of the operator. No setting disables a built-in engine: moderation
 * cannot be switched off.
 * @throws ConfigError that names the first wrong line of the operator's file, or the required engine that is missing.
 */
export async function buildEngines({ configDir, environment }: EnginesConfig): Promise<Engines> {
  const file = openModerationFile(configDir, environment);
  const { terms, shortWords } = readLexicon();
  const lexicon = { terms: file ? [...terms, ...readOperatorTerms(file)] : terms, shortWords };
  const lists = file ? readHashLists(file) : [];
  const added = file ? loadEngines(file) : [];
  const addedFor = (judged: 'text' | 'image') => added.filter((service) => service.judges(judged));
  if (file) assertRequired(file);
  const testImage = await toKnownImage(TEST_IMAGE_REASON, await readTestImage());
  return {
    text: [new TextRulesEngine(lexicon), ...addedFor('text').map(({ textEngine }) => textEngine)],
    image: [
      new ImageHashEngine([testImage], lists),
      new LocalImageEngine(file ? readLocalPolicy(file) : localPolicy()),
      ...addedFor('image').map(({ imageEngine }) => imageEngine),
    ],
  };
}

/** Without an entry of its own, an engine that the operator demands would be missing unnoticed. */
function assertRequired(file: ModerationFile): void {
  const { document, sections } = file;
  const ids = readEnginePolicies(file).map(({ id }) => id);
  const missing = sections.require.findIndex((id) => !ids.includes(id));
  if (missing >= 0) throw document.errorAt(['require', missing], 'has no entry in engines');
}
