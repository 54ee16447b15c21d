import { Controller, HttpCode, HttpStatus, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { BODY_MAX_BYTES, EDIT_FORM_MAX_BYTES } from '../body-limits';
import { CreateImageEdit } from '../jobs/create-image-edit.use-case';
import { CreateImageGeneration } from '../jobs/create-image-generation.use-case';
import { CreateOpenAiImages } from './create-openai-images.use-case';
import { OPENAI_PATH } from './openai-path';
import { OpenAiRoute } from './openai-route';
import { toImageEdit, withImageName } from './to-image-edit';
import { toImageGeneration } from './to-image-generation';

@Controller(`${OPENAI_PATH}/images`)
export class OpenAiImagesController {
  constructor(
    private readonly images: CreateOpenAiImages,
    private readonly createImageGeneration: CreateImageGeneration,
    private readonly createImageEdit: CreateImageEdit,
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

  @Post('edits')
  @HttpCode(HttpStatus.OK)
  @OpenAiRoute({ takesMultipart: true, bodyMaxBytes: EDIT_FORM_MAX_BYTES, timeoutMs: 45_000 })
  edit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.images.execute(request, reply, {
      translate: toImageEdit,
      create: (post) =>
        this.createImageEdit.execute(post).catch((error: unknown) => {
          throw withImageName(error);
        }),
    });
  }
}
