import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';

/** The enabled models whose jobs can run at present. */
@Injectable()
export class OfferedModels {
  constructor(private readonly bus: Bus) {}

  async list(priceGroup?: string): Promise<Model[]> {
    const prices = priceGroup === undefined ? {} : { price_group: priceGroup };
    const [models, unoffered] = await Promise.all([
      this.bus.request(catalogRpc.listModels, prices),
      this.listUnoffered(),
    ]);
    return models.data.filter(({ type }) => !unoffered.includes(`${type}.generation`));
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
