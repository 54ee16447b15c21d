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
    description: 'The models for jobs, with their capabilities and prices.',
    answers: { 200: 'The models.' },
    errors: catalogRpc.listModels.errors,
  })
  async list(): Promise<List<Model>> {
    const [models, unoffered] = await Promise.all([this.bus.request(catalogRpc.listModels, {}), this.listUnoffered()]);
    return { ...models, data: models.data.filter(({ type }) => !unoffered.includes(`${type}.generation`)) };
  }

  /** Returns an empty list if jobs does not answer: jobs refuses unoffered operations in any case. */
  private async listUnoffered(): Promise<string[]> {
    try {
      return (await this.bus.request(jobsRpc.listUnoffered, {})).operations;
    } catch {
      return [];
    }
  }
}
