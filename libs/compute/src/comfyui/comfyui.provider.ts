import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@kinora/service-kit';
import { ArrayNotEmpty, IsArray, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import type {
  CancelOutcome,
  ComputeProvider,
  InstanceCapacity,
  ProbeReport,
  ProviderFailure,
  ProviderTask,
  SeededOutputs,
  SubmitContext,
  SubmitOutcome,
  TaskFacts,
  TaskLora,
  UpstreamStatus,
  UpstreamTask,
} from '../compute-provider.port';
import { toUnansweredSubmit } from '../http/submit-answer';
import { toSupportedChoices } from '../task-choices';
import { cancelPrompt, promptIdOf, SubmittedTasks, toPromptId } from './submitted-tasks';
import { ComfyuiServer, uploadImages } from './comfyui-server';
import { fillGraph, toExtraData } from './fill-graph';
import { findUnsupportedTask, GRAPH_CHOICE_RULES } from './find-unsupported-task';
import { type GraphTemplate, seededOutputsOf } from './graph-template';
import { HintSocket } from './hint-socket';
import { findSharedFileProblem, probeServer } from './probe-server';
import { readPromptAnswer } from './prompt-answer';
import { PromptProgress } from './prompt-progress';
import { type PromptState, readPromptStates, toUpstreamStatus } from './prompt-states';
import { findLoraFiles, type LoraFiles, readLoraFiles } from './task-loras';
import type { ProviderType } from '../provider-type';
import { loadOwnTemplates, pickTemplates } from './load-templates';

export interface ComfyuiInstance {
  id: string;
  url: string;
  headers: Record<string, string>;
  concurrency: number;
  server: ComfyuiServer;
  logger: Logger;
  clock: Clock;
  templates: ReadonlyMap<string, GraphTemplate>;
  /** Templates that the settings name, before any task uses one. */
  chosen: readonly string[];
  loras: ReadonlyMap<string, LoraFiles>;
  sharedLoraFolder: string;
}

/** One ComfyUI server: graphs from templates, uploads, and the queue and history in its memory. */
export class ComfyuiProvider implements ComputeProvider {
  readonly id: string;
  readonly concurrency: number;
  readonly provenance = 'trainedAlgorithmicMedia';
  readonly supports = toSupportedChoices(GRAPH_CHOICE_RULES);
  readonly hosting = 'own';
  readonly reloadsModels = true;
  readonly needsLoraFiles = true;
  readonly resultTtlMs = null;
  readonly templateNames: ReadonlySet<string>;
  /** One WebSocket for each process and server: a second one with the same id would replace the first without an error. */
  private readonly clientId = randomUUID();
  private readonly submitted = new SubmittedTasks();
  private readonly progress = new PromptProgress();
  private readonly wanted: Set<string>;
  private readonly socket: HintSocket;
  private publishHint: (taskId: string) => void = () => undefined;

  constructor(private readonly instance: ComfyuiInstance) {
    this.id = instance.id;
    this.concurrency = instance.concurrency;
    this.templateNames = new Set(instance.templates.keys());
    this.wanted = new Set(instance.chosen);
    this.socket = new HintSocket({
      url: instance.url,
      headers: instance.headers,
      clock: instance.clock,
      clientId: this.clientId,
      onEvent: (promptId) => {
        const taskId = this.submitted.find(promptId);
        if (taskId !== null) this.publishHint(taskId);
      },
      onMessage: (type, data) => this.progress.note(type, data),
    });
  }

  findUnsupported(task: TaskFacts): string | null {
    const { template: name = '', loras } = task;
    const template = this.instance.templates.get(name);
    if (!template) return `There is no template ${name || 'that its route names'}.`;
    const unsupported = findUnsupportedTask(template, task, this.findFiles(loras));
    return unsupported && `Its workflow ${unsupported}.`;
  }

  seededOutputs({ template = '' }: TaskFacts): SeededOutputs {
    return seededOutputsOf(this.instance.templates.get(template));
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    const unsupported = this.findUnsupported({ ...task, imageCount: task.images.length });
    const template = this.instance.templates.get(task.template ?? '');
    if (unsupported !== null || !template)
      return { kind: 'failed', failure: { kind: 'invalid_input', reason: String(unsupported) }, gpuMs: null };
    const { server } = this.instance;
    const promptId = toPromptId(task.id);
    // The server would run a resubmitted prompt twice, so the outcome of the first submission must be looked up.
    if (this.submitted.find(promptId) !== null) return { kind: 'unknown' };
    const folder = `jobs/${promptId}`;
    const uploaded = await uploadImages(server, task.images, folder, signal);
    if ('outcome' in uploaded) return uploaded.outcome;
    const loras = this.findFiles(task.loras).filter((files) => files !== null);
    this.submitted.add(promptId, task.id);
    this.wanted.add(template.name);
    this.socket.open();
    const graph = fillGraph(template, task, { folder, images: uploaded.names, loras });
    this.progress.add(promptId, graph);
    const body = {
      prompt: graph,
      prompt_id: promptId,
      // Without `client_id`, a graph whose results are all cached ends without outputs, and events are sent to all clients.
      client_id: this.clientId,
      extra_data: toExtraData(template, task),
    };
    return await this.post(task.id, body, signal);
  }

  async statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    const { server } = this.instance;
    const states = await readPromptStates(server, tasks.map(promptIdOf));
    return new Map(
      tasks.map((task) => {
        const state = states.get(promptIdOf(task)) ?? 'unreachable';
        this.freeMemoryAfter(state);
        return [task.id, toUpstreamStatus(state, server, this.progress.of(promptIdOf(task)))];
      }),
    );
  }

  async cancel(task: UpstreamTask): Promise<CancelOutcome> {
    this.submitted.delete(promptIdOf(task));
    this.progress.delete(promptIdOf(task));
    return await cancelPrompt(this.instance.server, promptIdOf(task), this.instance.clock).catch(() => 'unknown');
  }

  async forget(task: UpstreamTask): Promise<void> {
    this.progress.delete(promptIdOf(task));
    await this.instance.server.deleteHistory(promptIdOf(task)).catch(() => undefined);
  }

  /** The server runs one prompt at a time, and prompts of other clients that are already in its queue come first. */
  async readCapacity(): Promise<InstanceCapacity> {
    const { foreign } = await this.instance.server.readQueue();
    return { concurrency: foreign > 0 ? 0 : 1, interleaves: false };
  }

  async probe(routed: readonly string[] = []): Promise<ProbeReport> {
    const { server, templates, loras, concurrency } = this.instance;
    const wanted = [...templates.values()].filter(({ name }) => this.wanted.has(name) || routed.includes(name));
    return await probeServer(server, { templates: wanted, loras, concurrency });
  }

  async findSharedFileProblem(file: string): Promise<string | null> {
    return await findSharedFileProblem(this.instance.server, file, this.instance.sharedLoraFolder);
  }

  onHint(listener: (taskId: string) => void): void {
    this.publishHint = listener;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.instance.server.close();
  }

  private findFiles(taskLoras: TaskLora[]): (LoraFiles | null)[] {
    const { loras, sharedLoraFolder } = this.instance;
    return findLoraFiles(taskLoras, loras, sharedLoraFolder);
  }

  private async post(taskId: string, body: object, signal: AbortSignal): Promise<SubmitOutcome> {
    const { server } = this.instance;
    try {
      const answer = readPromptAnswer(await server.submit(body, signal), taskId);
      if (answer.kind === 'failed') this.reportRefusal(answer.failure);
      if (answer.kind !== 'accepted_with_errors') return answer;
      this.reportRefusal(answer.failure);
      // The rest of the graph runs without the failed output, so the prompt must be stopped.
      await cancelPrompt(server, answer.promptId, this.instance.clock).catch(() => 'unknown');
      await server.deleteHistory(answer.promptId).catch(() => undefined);
      return { kind: 'failed', failure: answer.failure, gpuMs: null };
    } catch (error) {
      return toUnansweredSubmit(error);
    }
  }

  /** Logs a missing node, a missing model file or a wrong graph, which only the operator can fix. */
  private reportRefusal({ kind, reason }: ProviderFailure): void {
    this.instance.logger.error({ provider: this.id, kind, reason }, 'comfyui_graph_refused');
  }

  /** Frees the memory of the card after an out-of-memory error; otherwise the next task fails in the same way. Idempotent. */
  private freeMemoryAfter(state: PromptState): void {
    if (typeof state === 'string' || state.kind !== 'failed' || !state.failure.isOutOfMemory) return;
    void this.instance.server.freeMemory().catch(() => undefined);
  }
}

/** Settings of type `comfyui`, besides those of every instance. */
export class ComfyuiSettings {
  /** The templates of the instance, which its probe checks; all templates without this setting. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  templates?: string[];

  /** Files in the server's folder of LoRAs by the catalog's id: `{ file, low_file }`, the second for the low-noise expert. */
  @IsOptional()
  @IsObject()
  loras: Record<string, unknown> = {};

  /** The path of `shared_lora_dir` within the server's folder of LoRAs; left out where both are the same folder. */
  @IsOptional()
  @IsString()
  shared_lora_subfolder?: string;

  /** Timeout of an answer: a server that loads a model of tens of gigabytes does not answer for a while. */
  @IsOptional()
  @IsInt()
  @Min(1_000)
  @Max(300_000)
  answer_timeout_ms: number = 30_000;
}

export const comfyuiType: ProviderType<ComfyuiSettings> = {
  type: 'comfyui',
  settings: ComfyuiSettings,
  // One prompt runs, and the next one is ready there: with one alone, the card is idle until jobs has seen its end.
  leastConcurrency: 2,
  create: (instance, settings, services) =>
    new ComfyuiProvider({
      ...instance,
      server: new ComfyuiServer({
        ...instance,
        egress: services.egress,
        answerTimeoutMs: settings.answer_timeout_ms,
      }),
      logger: services.logger,
      clock: services.clock,
      templates: pickTemplates(settings.templates, services.templatesDir),
      // No server has the models of all shipped templates, so the probe checks only those that the operator has chosen.
      chosen: settings.templates ?? [...loadOwnTemplates(services.templatesDir).keys()],
      loras: readLoraFiles(settings.loras),
      sharedLoraFolder: settings.shared_lora_subfolder ?? '',
    }),
};
