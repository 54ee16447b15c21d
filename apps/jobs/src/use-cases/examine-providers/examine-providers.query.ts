import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type ModelDetails, type Operation, catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { ComputeExamination, ModelExamination } from '@kinora/contracts/jobs/examination';
import { ModelCache } from '../../model/model-cache';
import { examineInstance } from '../../providers/examine-instance';
import { ProviderRegistry } from '../../providers/provider-registry';
import { Router } from '../../routing/router';
import { operationsOf, sampleTask } from './sample-task';

/** Says what is wrong with the compute instances, and with the ways of models to them. */
@Injectable()
export class ExamineProviders {
  constructor(
    private readonly bus: Bus,
    private readonly models: ModelCache,
    private readonly providers: ProviderRegistry,
    private readonly router: Router,
  ) {}

  async execute(): Promise<ComputeExamination> {
    const [providers, { data }] = await Promise.all([
      Promise.all(this.providers.listInstances().map(examineInstance)),
      this.bus.request(catalogAdminRpc.listAllModels, {}),
    ]);
    const enabled = data.filter((details) => details.enabled);
    return { providers, models: await Promise.all(enabled.map((details) => this.examineModel(details))) };
  }

  private async examineModel({ model: { id, capabilities }, routes }: ModelDetails): Promise<ModelExamination> {
    const problems = await Promise.all(
      operationsOf(capabilities).map((operation) => this.findProblems(id, operation, routes)),
    );
    return { id, providers: routes.map(({ provider }) => provider), problems: [...new Set(problems.flat())] };
  }

  private async findProblems(id: string, operation: Operation, routes: ModelDetails['routes']): Promise<string[]> {
    const task = sampleTask(await this.models.resolve(id, operation), operation);
    return routes.flatMap((route) => {
      const obstacles = this.router.findObstacles([route], task);
      if (!obstacles) return [];
      return obstacles.length === 0
        ? [`There is no instance ${route.provider}.`]
        : obstacles.map((obstacle) => `${route.provider} cannot run ${operation}: ${obstacle}.`);
    });
  }
}
