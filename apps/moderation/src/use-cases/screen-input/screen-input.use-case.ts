import { Injectable } from '@nestjs/common';
import { Database } from '@kinora/database';
import type { PassedContent } from '@kinora/contracts/moderation/decision';
import type { ScreenedImage, ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { DecisionRepository } from '../../decision/decision.repository';
import { Gate, type Verdict } from '../../gate/gate';
import { meterVerdict } from '../../gate/verdict-meter';
import type { Objection } from '../../judging/opinions';
import { StoredImages } from '../../image/stored-images';

export interface ScreenInputRequest {
  account_id: string;
  job_id: string;
  texts: ScreenedText[];
  images: ScreenedImage[];
}

/** Lets a job begin only if every prompt and every input image has passed the gate. */
@Injectable()
export class ScreenInput {
  constructor(
    private readonly images: StoredImages,
    private readonly gate: Gate,
    private readonly database: Database,
    private readonly decisions: DecisionRepository,
  ) {}

  async execute({ account_id, job_id, texts, images }: ScreenInputRequest): Promise<PassedContent> {
    const verdict = await meterVerdict('input', () => this.judge(texts, images));
    const judged = { account_id, job_id, stage: 'input' } as const;
    if (verdict.outcome === 'passed') return this.decisions.recordPassed(judged, verdict);
    await this.decisions.recordBlocked(this.database, judged, verdict);
    throw toRefusal(verdict.objection);
  }

  private judge(texts: ScreenedText[], places: ScreenedImage[]): Promise<Verdict> {
    if (places.length === 0) return this.gate.judge({ texts, images: [] });
    return this.images.judge(places, (images) => this.gate.judge({ texts, images }));
  }
}

/** Says which field was refused and not why: the reason would teach how to get around it. */
function toRefusal({ content, param }: Objection): ApiError {
  const details = param === null ? {} : { param };
  return content === 'text'
    ? new ApiError(
        'content_blocked_prompt',
        'The text was refused by content moderation. Change it: the same text is refused again. Nothing was charged.',
        details,
      )
    : new ApiError(
        'content_blocked_input',
        'The image was refused by content moderation. Send another one: it is refused again. Nothing was charged.',
        details,
      );
}
