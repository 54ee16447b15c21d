import { Controller, HttpCode, HttpStatus, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { BODY_MAX_BYTES } from '../body-limits';
import { CreateImageGeneration } from '../jobs/create-image-generation.use-case';
import { CreateOpenAiImages } from './create-openai-images.use-case';
import { OPENAI_PATH } from './openai-path';
import { OpenAiRoute } from './openai-route';
import { toImageGeneration } from './to-image-generation';

@Controller(`${OPENAI_PATH}/images`)
export class OpenAiImagesController {
  constructor(
    private readonly images: CreateOpenAiImages,
    private readonly createImageGeneration: CreateImageGeneration,
  ) {}

  @Post('generations')
  @HttpCode(HttpStatus.OK)
  @OpenAiRoute({ takesJson: true, bodyMaxBytes: BODY_MAX_BYTES['image.generation'], timeoutMs: 25_000 })
  generate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.images.execute(request, reply, {
      translate: toImageGeneration,
      create: (post) => this.createImageGeneration.execute(post),
    });
  }
}
