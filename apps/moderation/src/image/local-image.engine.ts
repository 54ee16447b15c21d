import { type EnginePolicy, findExceeded, type ThresholdRules, versionOfEngine } from '../judging/engine-policy';
import type { Engine, Opinion, ShownImage } from '../judging/engine';

/** The name in decisions of the model and of what `scoreSexualContent` makes of it; the weights are those of this release. */
const MODEL = 'nsfwjs-4.3.0-mobilenet-v2-mid-augmented';
/** The lowest and the highest threshold of each reason. There is none that lets everything pass. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  sexual_young_context: [0.1, 0.8],
  sexual: [0.3, 0.8],
};

/** As low as few images that show no person allow: `npm run bench -- moderation` counts them. */
export const LOCAL_THRESHOLDS: ThresholdRules = {
  defaults: { text: {}, image: { sexual_young_context: 0.5, sexual: 0.65 } },
  categories: { text: [], image: Object.keys(BOUNDS) },
  isReachable: (threshold, category) => {
    const [lowest = 0, highest = 0] = BOUNDS[category] ?? [];
    return threshold >= lowest && threshold <= highest;
  },
  scale: 'a number from 0.3 to 0.8 for sexual, and from 0.1 to 0.8 for sexual_young_context',
};

export function localPolicy(thresholds = LOCAL_THRESHOLDS.defaults): EnginePolicy {
  return { id: 'local', model: MODEL, judges: ['image'], thresholds };
}

/**
 * Blocks sexual images by the score of the image model. Where a text of the job mentions a minor, a lower threshold applies. The
 * model sees no ages, and recognises no known abuse material.
 */
export class LocalImageEngine implements Engine<ShownImage> {
  readonly name = 'local';
  readonly version: string;

  constructor(private readonly policy: EnginePolicy) {
    this.version = versionOfEngine(policy);
  }

  /** @throws Error for a score that is none: such an image has not been judged. */
  judge({ views, hasYoungContext }: ShownImage): Opinion {
    const sexual = Math.max(...views().map((view) => view.sexual));
    if (!(sexual >= 0 && sexual <= 1)) throw new Error(`The image model gave the score ${sexual}.`);
    const scores = { sexual_young_context: hasYoungContext ? sexual : 0, sexual };
    const objection = findExceeded(scores, this.policy.thresholds.image);
    return { objection, isByThreshold: objection !== null, scores };
  }
}
