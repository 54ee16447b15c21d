import { Injectable } from '@nestjs/common';
import {
  catalogAdminRpc,
  type ModelDetails,
  type Operation,
  type ResolvedModel,
  type Route,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { ComputeExamination, ModelExamination, ProviderExamination } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { Bus, remainingMs, withinMs } from '@kinora/bus';
import { certificateExpiryOf } from '@kinora/credentials';
import {
  examineInstance,
  type Instance,
  type InstanceExamination,
  ProviderRegistry,
  type TaskFacts,
  withAgeSafetyTerms,
} from '@kinora/compute';
import { JobsConfig } from '../../jobs.config';
import { ModelCache } from '../../model/model-cache';
import { parseSize } from '../../model/size';
import { VideoScreening } from '../../model/video-screening';
import { InstanceHoursRepository } from '../../scheduling/instance-hours.repository';
import { adviseOnLoads } from '../advise-on-loads';
import { hasTemplate, Router } from '../../routing/router';

/** A side within the bounds of all models. */
const SIDE_PX = 512;

export function operationsOf({ t2i, edit, i2v }: ResolvedModel['capabilities']): Operation[] {
  return [
    ...(t2i ? (['image.generation'] as const) : []),
    ...(edit ? (['image.edit'] as const) : []),
    ...(i2v ? (['video.generation'] as const) : []),
  ];
}

/** The simplest request for a model: an instance that cannot run it can run no request of the model. */
export function sampleTask({ id, capabilities, steps, guidance }: ResolvedModel, operation: Operation): TaskFacts {
  const size = parseSize(capabilities.sizes?.[0] ?? '') ?? { width: SIDE_PX, height: SIDE_PX };
  const facts = {
    id: 'sample',
    model: id,
    prompt: 'a calm sea',
    negativePrompt: withAgeSafetyTerms(undefined),
    ...size,
    seed: 1,
    loras: [],
  };
  switch (operation) {
    case 'image.generation':
      return {
        ...facts,
        operation,
        n: 1,
        imageCount: 0,
        ...(steps ? { steps: steps.default } : {}),
        ...(guidance ? { guidance: guidance.default } : {}),
      };
    case 'image.edit':
      return { ...facts, operation, n: 1, imageCount: 1 };
    case 'video.generation': {
      const { durations: [durationSeconds = 1] = [], fps = 1 } = capabilities;
      return { ...facts, operation, imageCount: 1, durationSeconds, fps };
    }
  }
}

/** Reserved for the transport of the report: a report that names a slow backend must not time out itself. */
const REPLY_WITHIN_MS = 500;

/** If moderation hangs, the report names that, and still contains the problems of compute. */
const MODERATION_TIMEOUT_MS = 2_000;

/** Reports the problems of compute instances, and of the routes of models to them. */
@Injectable()
export class ExamineProviders {
  constructor(
    private readonly bus: Bus,
    private readonly models: ModelCache,
    private readonly providers: ProviderRegistry,
    private readonly router: Router,
    private readonly videoScreening: VideoScreening,
    private readonly config: JobsConfig,
    private readonly hours: InstanceHoursRepository,
  ) {}

  async execute(): Promise<ComputeExamination> {
    const { data } = await this.bus.request(catalogAdminRpc.listAllModels, {});
    const enabled = data.filter((details) => details.enabled);
    const templates = templatesByProvider(enabled.flatMap(({ routes }) => routes));
    const leftMs = (remainingMs() ?? Infinity) - REPLY_WITHIN_MS;
    const examine = (instance: Instance): Promise<InstanceExamination> =>
      examineInstance(instance, templates.get(instance.provider.id), leftMs);
    const [examined, hours, videoProblem] = await Promise.all([
      Promise.all(this.providers.listInstances().map(examine)),
      this.hours.list(this.providers.listLoading()),
      withinMs(MODERATION_TIMEOUT_MS, () => this.videoScreening.findProblem()),
    ]);
    const advice = new Map(hours.map((hour) => [hour.provider, adviseOnLoads(hour, hours)]));
    const providers = examined.map(({ examination }) => withAdvice(examination, advice.get(examination.id) ?? null));
    const templateProblems = new Map(examined.map((each) => [each.examination.id, each.templateProblems]));
    const down = providers.filter(({ state }) => state === 'down').map(({ id }) => id);
    const found = { down, templateProblems, videoProblem };
    const models = await Promise.all(enabled.map((details) => this.examineModel(details, found)));
    const expiresAt = certificateExpiryOf(this.config.credentials.certificate);
    return { providers, models, certificate_expires_at: expiresAt?.toISOString() ?? null };
  }

  private async examineModel(
    { model: { id, capabilities }, routes }: ModelDetails,
    { down, templateProblems, videoProblem }: Found,
  ): Promise<ModelExamination> {
    const operations = operationsOf(capabilities);
    const problems = await Promise.all(operations.map((operation) => this.findProblems(id, operation, routes)));
    const instances = routes.map(({ provider }) => provider);
    for (const { provider, template = '' } of routes) {
      const lacks = templateProblems.get(provider)?.get(template) ?? [];
      problems.push(lacks.map((lack) => `${provider} cannot run ${template}: ${lack}.`));
    }
    if (this.config.markerUrl === '' && routes.some(({ marker }) => marker === 'http'))
      problems.push(['Its routes have a marker, but KINORA_MARKER_URL is not set; both roles of jobs need it.']);
    if (instances.every((instance) => down.includes(instance)))
      problems.push([`It cannot run now: ${instances.join(', ')} is down.`]);
    if (videoProblem !== null && operations.includes('video.generation'))
      problems.push([`It is not offered, because moderation cannot screen videos: ${videoProblem}`]);
    return { id, providers: instances, problems: [...new Set(problems.flat())] };
  }

  private async findProblems(id: string, operation: Operation, routes: ModelDetails['routes']): Promise<string[]> {
    const model = await this.models.resolve(id, operation);
    const task = sampleTask(model, operation);
    return routes.flatMap((route) => {
      const provider = this.providers.find(route.provider);
      if (provider && !hasTemplate(provider, route))
        return [`${route.provider} has no template ${route.template ?? 'that its route names'}.`];
      const unsupported = this.router.findUnsupportedReasons([route], task);
      if (!unsupported) return model.capabilities.loras === 'url' ? this.findLoraProblems(route, task) : [];
      return unsupported.length === 0
        ? [`There is no instance named ${route.provider}.`]
        : unsupported.map((unsupported) => `${route.provider} cannot run ${operation}: ${unsupported}.`);
    });
  }

  private findLoraProblems(route: Route, task: TaskFacts): string[] {
    const lora = { url: 'https://example.com/any', strength: 1 };
    const reasons = this.router.findUnsupportedReasons([route], { ...task, loras: [lora] }) ?? [];
    return reasons.map((reason) => `${route.provider} cannot run ${task.operation} with a LoRA by URL: ${reason}`);
  }
}

function withAdvice(examination: ProviderExamination, advice: string | null): ProviderExamination {
  return advice === null ? examination : { ...examination, advice };
}

/** The findings that the examination of models needs. */
interface Found {
  /** The instances that do not answer. */
  down: string[];
  templateProblems: ReadonlyMap<string, InstanceExamination['templateProblems']>;
  videoProblem: string | null;
}

/** The templates that routes use at each instance, which may be missing there. */
function templatesByProvider(routes: Route[]): Map<string, string[]> {
  const templates = new Map<string, string[]>();
  for (const { provider, template } of routes) {
    if (template !== undefined) templates.set(provider, [...(templates.get(provider) ?? []), template]);
  }
  return templates;
}
