import { Controller, Get, Param } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { List } from '@kinora/contracts/shared/page';
import { findOpenAiModel, type OpenAiModel, OpenAiNames, toOpenAiModels } from './openai-models';
import { OPENAI_PATH, OpenAiOperation, OpenAiRoute } from './openai-operation.decorator';

@Controller(`${OPENAI_PATH}/models`)
export class OpenAiModelsController {
  constructor(private readonly names: OpenAiNames) {}

  @Get()
  @OpenAiRoute()
  @OpenAiOperation({
    operationId: 'listModels',
    tag: 'Models',
    summary: 'List models',
    description: 'The models and their aliases, which are other names for them.',
    answer: 'All models.',
    errors: [],
  })
  async list(): Promise<List<OpenAiModel>> {
    return { object: 'list', data: toOpenAiModels(await this.names.read()) };
  }

  @Get(':id')
  @OpenAiRoute()
  @OpenAiOperation({
    operationId: 'retrieveModel',
    tag: 'Models',
    summary: 'Get a model',
    answer: 'The model.',
    errors: ['model_unavailable'],
  })
  async get(@Param('id') id: string): Promise<OpenAiModel> {
    const found = findOpenAiModel(id, await this.names.read());
    if (!found)
      throw new ApiError('model_unavailable', 'There is no such model. GET /models lists them.', { param: 'model' });
    return found;
  }
}
