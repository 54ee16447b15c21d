import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import type {
  PassedContent,
  ScreenedImage,
  ScreenedText,
  ScreenInputRequest,
} from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { blockedCategory } from '../decision/blocked-category';
import { DecisionRepository } from '../decision/decision.repository';
import { Gate, type Verdict } from '../gate/gate';
import { meterVerdict } from '../gate/verdict-meter';
import type { Objection } from '../judging/engine';
import { StoredImages } from '../image/stored-images';
import { TEST_IMAGE_REASON } from '../image/known-image';
import { UnreadableImage } from '../image/image-decoder';
import { TEST_TEXT, TEST_TEXT_REASON } from '../text/lexicon';

/** Allows a job only if every input image can be decoded, and every prompt and every input image has passed the gate. */
@Injectable()
export class ScreenInput {
  constructor(
    private readonly images: StoredImages,
    private readonly gate: Gate,
    private readonly database: Database,
    private readonly decisions: DecisionRepository,
  ) {}

  /** @throws ApiError invalid_body, content_blocked_prompt, content_blocked_input, capacity */
  async execute({ account_id, job_id, texts, images }: ScreenInputRequest): Promise<PassedContent> {
    const verdict = await meterVerdict('input', () => this.judge(texts, images)).catch(toInvalidBody);
    const judged = { account_id, job_id, stage: 'input' } as const;
    if (verdict.outcome === 'passed') return this.decisions.recordPassed(judged, verdict);
    const decisionId = await this.decisions.recordBlocked(this.database, judged, verdict);
    throw toRefusal(verdict.objection, decisionId);
  }

  private judge(texts: ScreenedText[], places: ScreenedImage[]): Promise<Verdict> {
    if (places.length === 0) return this.gate.judge({ texts, images: [] });
    return this.images.judge(places, (images) => this.gate.judge({ texts, images }));
  }
}

/** An image that does not decode is a mistake of the client. */
function toInvalidBody(error: unknown): never {
  if (!(error instanceof UnreadableImage) || error.param === null) throw error;
  throw new ApiError('invalid_body', `${error.param}: ${error.message}`, { param: error.param });
}

/**
 * Names the refused field, the coarse category and the decision, by which an operator finds the rest. The exact reason would help to
 * evade moderation. Test material is named, so that a rehearsal is not mistaken for a verdict on the client's own content.
 */
function toRefusal(objection: Objection, decisionId: string): ApiError {
  const { content, param, reason } = objection;
  const code = content === 'text' ? 'content_blocked_prompt' : 'content_blocked_input';
  const why = `${blockedCategory(objection)}, decision ${decisionId}`;
  const refused =
    content === 'text'
      ? `The text was refused by content moderation (${why}). Change it: the same text is refused again. Nothing was charged.`
      : `The image was refused by content moderation (${why}). Send another one: it is refused again. Nothing was charged.`;
  return new ApiError(code, REHEARSALS[reason] ?? refused, param === null ? {} : { param });
}

const REHEARSALS: Partial<Record<string, string>> = {
  [TEST_TEXT_REASON]: `The text holds ${TEST_TEXT}, which content moderation refuses for rehearsals. Remove it. Nothing was charged, and a refused input does not count towards a suspension.`,
  [TEST_IMAGE_REASON]:
    'The image is the test image, which content moderation refuses for rehearsals. Send another one. Nothing was charged, and a refused input does not count towards a suspension.',
};
