import type { ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import {
  asList,
  asMap,
  type EngineAnswer,
  EngineFault,
  type EngineProtocol,
  type EngineQuestion,
  type ShownImage,
} from './protocol';
import type { ThresholdRules } from '../judging/engine-policy';

const CATEGORIES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;
/** The severities that Azure returns for both texts and images: safe, low, medium, high. */
const SEVERITIES: readonly unknown[] = [0, 2, 4, 6];
const MAX_TEXT_CHARS = 10_000;
const REQUESTED_CATEGORIES = { categories: CATEGORIES, outputType: 'FourSeverityLevels' };

/**
 * Azure has no category for age, so images are blocked from medium on. The lexicon also judges texts, so texts are blocked at
 * high.
 */
export const AZURE_THRESHOLDS: ThresholdRules = {
  defaults: { text: { Sexual: 6 }, image: { Sexual: 4 } },
  categories: { text: CATEGORIES, image: CATEGORIES },
  isReachable: (threshold) => threshold > 0 && SEVERITIES.includes(threshold),
  scale: '2, 4 or 6',
};

/** Azure AI Content Safety. */
export class AzureProtocol implements EngineProtocol {
  textRequest({ text }: ScreenedText): EngineQuestion {
    if ([...text].length > MAX_TEXT_CHARS) throw new EngineFault('the text is longer than it takes', 'content');
    return { path: '/contentsafety/text:analyze', body: { text, ...REQUESTED_CATEGORIES } };
  }

  imageRequest({ jpeg }: ShownImage): EngineQuestion {
    return {
      path: '/contentsafety/image:analyze',
      body: { image: { content: jpeg.toString('base64') }, ...REQUESTED_CATEGORIES },
    };
  }

  read(answer: unknown): EngineAnswer {
    const analyses = asList(asMap(answer, 'the answer')['categoriesAnalysis'], 'categoriesAnalysis');
    const entries = analyses.map((analysis) => asMap(analysis, 'an analysis'));
    const scores = CATEGORIES.map((category) => {
      const [entry, ...more] = entries.filter((candidate) => candidate['category'] === category);
      const severity = entry?.['severity'];
      // The API allows a missing severity; it is no statement that the content is safe.
      if (more.length > 0 || typeof severity !== 'number' || !SEVERITIES.includes(severity))
        throw new EngineFault(`it has no severity of 0, 2, 4 or 6 for ${category}`);
      return [category, severity] as const;
    });
    return { scores: Object.fromEntries(scores), objection: null };
  }
}
