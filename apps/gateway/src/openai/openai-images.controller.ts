import { Controller, HttpCode, HttpStatus, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { BODY_MAX_BYTES, EDIT_FORM_MAX_BYTES } from '../body-limits';
import { CreateImageGeneration } from '../jobs/create-image-generation.use-case';
import { CreateWithImages } from '../jobs/create-with-images.use-case';
import { CreateOpenAiImages } from './create-openai-images.use-case';
import { OPENAI_PATH, OpenAiOperation, OpenAiRoute } from './openai-operation.decorator';
import { toImageEdit, withImageName } from './to-image-edit';
import { toImageGeneration } from './to-image-generation';

@Controller(`${OPENAI_PATH}/images`)
export class OpenAiImagesController {
  constructor(
    private readonly images: CreateOpenAiImages,
    private readonly createImageGeneration: CreateImageGeneration,
    private readonly createWithImages: CreateWithImages,
  ) {}

  @Post('generations')
  @HttpCode(HttpStatus.OK)
  @OpenAiRoute({ takesJson: true, bodyMaxBytes: BODY_MAX_BYTES['image.generation'], timeoutMs: 25_000 })
  @OpenAiOperation({
    operationId: 'createImage',
    tag: 'Images',
    summary: 'Create images from a prompt',
    description:
      'Waits for the end of the job. A repeat of a request whose answer was lost gets the job of the first one.',
    answer: 'The images.',
    answerType: 'OpenAiImages',
    streams: true,
    bodies: [{ mediaType: 'application/json', fields: 'OpenAiImageRequest', like: ImageGenerationBody, without: [] }],
    idempotent: true,
    waitsForJob: true,
    errors: ['model_not_allowed', ...jobsRpc.findReplay.errors, ...jobsRpc.create.errors],
  })
  generate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.images.execute(request, reply, {
      translate: toImageGeneration,
      create: (post) => this.createImageGeneration.execute(post),
    });
  }

  @Post('edits')
  @HttpCode(HttpStatus.OK)
  @OpenAiRoute({ takesMultipart: true, bodyMaxBytes: EDIT_FORM_MAX_BYTES, timeoutMs: 45_000 })
  @OpenAiOperation({
    operationId: 'editImage',
    tag: 'Images',
    summary: 'Edit images by a prompt',
    description:
      'Takes one to three files, each PNG, JPEG or WebP, at most 10 MiB, 64 to 4096 pixels a side. Waits for the end of the job. A repeat of a ' +
      'request whose answer was lost gets the job of the first one.',
    answer: 'The image.',
    answerType: 'OpenAiImages',
    streams: true,
    bodies: [
      {
        mediaType: 'multipart/form-data',
        fields: 'OpenAiEditForm',
        like: ImageEditBody,
        without: ['image', 'images'],
      },
    ],
    idempotent: true,
    waitsForJob: true,
    errors: ['model_not_allowed', ...jobsRpc.findReplay.errors, ...jobsRpc.quote.errors, ...jobsRpc.create.errors],
  })
  edit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.images.execute(request, reply, {
      translate: toImageEdit,
      create: (post) =>
        this.createWithImages.edit(post).catch((error: unknown) => {
          throw withImageName(error);
        }),
    });
  }
}
