import { Injectable } from '@nestjs/common';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/default-model';
import type { QuoteRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { assertEditFits } from '../../model/edit-bounds';
import { ModelCache } from '../../model/model-cache';
import { resolveVideoLoras } from '../../model/resolve-loras';
import { resolveDuration } from '../../model/video-bounds';
import { VideoJudging } from '../../model/video-judging';

@Injectable()
export class QuoteJob {
  constructor(
    private readonly models: ModelCache,
    private readonly videos: VideoJudging,
  ) {}

  /** Whether a model takes the wish, and its price, before any image of it is read. @throws ApiError */
  async execute(request: QuoteRequest): Promise<{ price_micros: number }> {
    const { kind, input } = request;
    this.videos.assertOffered(kind);
    const model = await this.models.resolve(input.model ?? DEFAULT_MODEL[kind], kind);
    return { price_micros: model.price.micros * countUnits(request, model) };
  }
}

/** An edit makes one image; a video is paid by the second. @throws ApiError invalid_body for what the model does not take */
function countUnits(request: QuoteRequest, model: ResolvedModel): number {
  if (request.kind === 'image.edit') {
    assertEditFits(request.input, request.image_count, model);
    return 1;
  }
  const duration = resolveDuration(request.input, model);
  resolveVideoLoras(request.input.loras, model);
  return duration;
}
