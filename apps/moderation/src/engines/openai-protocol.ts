import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import {
  asList,
  asMap,
  asShare,
  type EngineAnswer,
  EngineFault,
  type EngineProtocol,
  type EngineQuestion,
  type JsonMap,
  type ShownImage,
} from './protocol';
import type { ContentKind, ThresholdRules } from '../judging/engine-policy';

/** Categories that OpenAI scores for both texts and images. */
const IMAGE_CATEGORIES = [
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'violence',
  'violence/graphic',
] as const;
/** Models that do not support these two categories return null for them. */
const OPTIONAL_CATEGORIES: readonly string[] = ['illicit', 'illicit/violent'];
const TEXT_CATEGORIES = [
  ...IMAGE_CATEGORIES,
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'sexual/minors',
] as const;

/**
 * No category for images covers minors, so clearly sexual images are always blocked. The category for minors in texts has a
 * low threshold.
 */
export const OPENAI_THRESHOLDS: ThresholdRules = {
  defaults: { text: { 'sexual/minors': 0.2 }, image: { sexual: 0.5 } },
  categories: { text: TEXT_CATEGORIES, image: IMAGE_CATEGORIES },
  isReachable: (threshold) => threshold > 0 && threshold <= 0.9,
  scale: 'a number above 0 and up to 0.9',
};

/** `POST /moderations` of OpenAI, one text or one image at a time. */
export class OpenAiProtocol implements EngineProtocol {
  constructor(private readonly model: string) {}

  textRequest({ text }: ScreenedText): EngineQuestion {
    return this.ask({ type: 'text', text });
  }

  imageRequest({ jpeg }: ShownImage): EngineQuestion {
    return this.ask({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${jpeg.toString('base64')}` } });
  }

  read(answer: unknown, kind: ContentKind): EngineAnswer {
    const { model, results } = asMap(answer, 'the answer');
    this.assertModel(model);
    const [result, ...more] = asList(results, 'results');
    if (result === undefined || more.length > 0) throw new EngineFault('it did not give exactly one result');
    return { scores: readScores(asMap(result, 'a result'), kind), objection: null };
  }

  private ask(content: JsonMap): EngineQuestion {
    return { path: '/moderations', body: { model: this.model, input: [content] } };
  }

  /** For a model name such as `…-latest` the answer names the version behind it. */
  private assertModel(answered: unknown): void {
    const family = this.model.replace(/-(latest|\d{4}-\d{2}-\d{2})$/, '');
    if (answered === this.model || (typeof answered === 'string' && answered.startsWith(`${family}-`))) return;
    throw new EngineFault('another model has answered than the requested one');
  }
}

/** The score of each category; a category that the engine has flagged counts as 1, whatever its score. */
function readScores(result: JsonMap, kind: ContentKind): Record<string, number> {
  const flags = asMap(result['categories'], 'categories');
  const scores = asMap(result['category_scores'], 'category_scores');
  const applied = asMap(result['category_applied_input_types'], 'category_applied_input_types');
  assertConsistent(result['flagged'], flags);
  const optional = OPTIONAL_CATEGORIES.filter((category) => kind === 'text' && typeof scores[category] === 'number');
  const categories = [...(kind === 'text' ? TEXT_CATEGORIES : IMAGE_CATEGORIES), ...optional];
  return Object.fromEntries(
    categories.map((category) => {
      if (typeof flags[category] !== 'boolean') throw new EngineFault(`it does not say whether ${category} is flagged`);
      if (!asList(applied[category], `the input types of ${category}`).includes(kind))
        throw new EngineFault(`it has not judged the ${kind} for ${category}`);
      const score = asShare(scores[category], `the score of ${category}`);
      return [category, flags[category] ? 1 : score];
    }),
  );
}

function assertConsistent(flagged: unknown, flags: JsonMap): void {
  if (flagged !== Object.values(flags).includes(true))
    throw new EngineFault('its flag contradicts the flags of its categories');
}
