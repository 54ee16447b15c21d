import { Injectable } from '@nestjs/common';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/default-model';
import type { QuoteRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { assertEditFits } from '../../model/edit-bounds';
import { ModelCache } from '../../model/model-cache';

@Injectable()
export class QuoteJob {
  constructor(private readonly models: ModelCache) {}

  /** Whether a model takes the wish, and its price, before any image of it is read. @throws ApiError */
  async execute({ kind, input, image_count: imageCount }: QuoteRequest): Promise<{ price_micros: number }> {
    const model = await this.models.resolve(input.model ?? DEFAULT_MODEL[kind], kind);
    assertEditFits(input, imageCount, model);
    return { price_micros: model.price.micros };
  }
}
