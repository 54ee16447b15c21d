import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { List } from '@kinora/contracts/shared/page';
import { Operation } from '../reference/operation.decorator';

@Controller('models')
export class ModelsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Operation({
    operationId: 'listModels',
    tag: 'Catalog',
    summary: 'List models',
    description: 'The models that jobs can be made with, what each can do, and its price.',
    answers: { 200: 'The models.' },
    errors: catalogRpc.listModels.errors,
  })
  async list(): Promise<List<Model>> {
    const [models, unoffered] = await Promise.all([this.bus.request(catalogRpc.listModels, {}), this.listUnoffered()]);
    return { ...models, data: models.data.filter(({ type }) => !unoffered.includes(`${type}.generation`)) };
  }

  /** Jobs refuses what it does not offer in any case, so that the list does without its answer. */
  private async listUnoffered(): Promise<string[]> {
    try {
      return (await this.bus.request(jobsRpc.listUnoffered, {})).operations;
    } catch {
      return [];
    }
  }
}
