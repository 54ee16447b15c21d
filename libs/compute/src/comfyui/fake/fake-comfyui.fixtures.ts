import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { CLIP } from '../../conformance/files.fixtures';
import type { FakeBackend, Fault, TaskFailure, ReceivedTask } from '../../conformance/fake-backend.fixtures';
import { FaultyServer, type ReceivedHttpRequest } from '../../http/fake-http-server.fixtures';
import { type Graph, pruneTo } from '../graph';
import { loadTemplates, SHIPPED_TEMPLATES_DIR } from '../load-templates';
import { ComfyuiRoutes } from './comfyui-routes.fixtures';
import { EventSockets } from './event-sockets.fixtures';
import { FakeFiles, type FileName } from './fake-files.fixtures';
import { FakePrompts, type PromptEntry, type QueueItem } from './fake-prompts.fixtures';
import { countFiles, runGraph, sketchGraph } from './run-graph.fixtures';

export interface FakeComfyuiOptions {
  version?: '0.3.75' | '0.12.1' | '0.3.50';
  /** Files that the server lacks, although the templates need them. */
  missingModels?: string[];
  /** A real folder of LoRAs, listed beside the files of the templates. */
  loraFolder?: string;
}

/**
 * A ComfyUI server with the behaviour of the recorded ones: one prompt at a time, all in memory. Prompts begin and end only
 * when the spec calls for it.
 */
export class FakeComfyui extends FaultyServer implements FakeBackend {
  readonly graphs: Graph[] = [];
  readonly sockets = new EventSockets();
  readonly prompts = new FakePrompts(this.sockets);
  readonly files = new FakeFiles();
  readonly version: string;
  readonly missingModels: Set<string>;
  /** The bytes of every video; a spec may replace them. */
  clip: Buffer = CLIP;
  /** Interrupts without a prompt id, or that an old server treated as such. */
  globalInterrupts = 0;
  private readonly loraFolder: string | undefined;
  private readonly routes = new ComfyuiRoutes(this);

  constructor({ version = '0.12.1', missingModels = [], loraFolder }: FakeComfyuiOptions = {}) {
    super();
    this.version = version;
    this.loraFolder = loraFolder;
    this.missingModels = new Set(missingModels);
  }

  override async stop(): Promise<void> {
    this.sockets.drop();
    await super.stop();
  }

  get workingCount(): number {
    return this.prompts.queueRemaining;
  }

  override inject(fault: Fault): void {
    super.inject(fault);
    if (fault.kind === 'skew_clock') this.prompts.clockSkewMs = fault.byMs;
  }

  begin(): void {
    this.prompts.begin();
  }

  /** Sends the event that a server sends at each step, as if all nodes were at the same part of their work. */
  report(part: number): void {
    this.prompts.report(part);
  }

  finish(outputs?: Buffer[]): void {
    while (this.prompts.running || this.prompts.begin()) {
      const item = this.prompts.running?.item;
      if (item) this.prompts.end({ event: 'execution_success', outputs: this.save(item, outputs) });
    }
  }

  finishRunning(): void {
    const item = this.prompts.running?.item;
    if (item) this.prompts.end({ event: 'execution_success', outputs: this.save(item) });
  }

  end(failure: TaskFailure): void {
    while (this.prompts.running || this.prompts.begin()) {
      const item = this.prompts.running?.item;
      if (item) this.endBadly(item, failure);
    }
  }

  interruptRunning(): void {
    const item = this.prompts.running?.item;
    if (item) this.endBadly(item, 'interrupted');
  }

  /** Files of results and uploads stay; previews do not. */
  restart(): void {
    this.prompts.forget();
    this.files.clear('temp');
    this.sockets.drop();
  }

  take(promptId: string, graph: Graph, extraData: Record<string, unknown>, outputs: string[]): number {
    this.graphs.push(graph);
    this.received.push(this.toReceived(graph, extraData));
    return this.prompts.push(promptId, graph, extraData, outputs);
  }

  /** The history entry with the status that a spec has set. */
  entryOf(promptId: string): PromptEntry | null {
    const word = this.fault('say_status')?.word;
    const { pending, running, history } = this.prompts;
    const entry = history.get(promptId) ?? null;
    if (entry && this.fault('blank_status')) return { ...entry, status: null };
    const prompt =
      entry?.prompt ?? [...pending.items, ...(running ? [running.item] : [])].find(([, id]) => id === promptId);
    if (word === undefined || !prompt) return entry;
    const outputs = entry?.outputs ?? this.save(prompt);
    return { prompt, outputs, status: { status_str: word, completed: word === 'success', messages: [] }, meta: {} };
  }

  /** The files that the shipped templates need, without those that the spec removed. */
  installed(folder: string): string[] {
    const files = [...loadTemplates(SHIPPED_TEMPLATES_DIR).values()].flatMap(({ modelFiles }) =>
      Object.entries(modelFiles),
    );
    const real = this.loraFolder !== undefined && folder === 'loras' ? listFiles(this.loraFolder) : [];
    return files
      .filter(([file, place]) => place === folder && !this.missingModels.has(file))
      .map(([file]) => file)
      .concat(real);
  }

  private endBadly(item: QueueItem, failure: TaskFailure): void {
    const [, , graph] = item;
    const [id = '1', node] = Object.entries(graph)[0] ?? [];
    const place = { node_id: id, node_type: node?.class_type ?? '', executed: [id] };
    if (failure === 'interrupted') return this.prompts.end({ event: 'execution_interrupted', details: place });
    if (failure === 'partial')
      return this.prompts.end({
        event: 'execution_success',
        outputs: this.save(item, this.runAll(item).slice(1)),
      });
    // A switch of a custom node pack blocks the output: an error on the socket, and then a success without files.
    if (failure === 'result_is_error') return this.prompts.end({ event: 'execution_success', outputs: {} });
    const [type, message] =
      failure === 'out_of_memory'
        ? [
            'torch.OutOfMemoryError',
            'CUDA out of memory. Tried to allocate 2.00 GiB.\nThis error means you ran out of memory on your GPU.',
          ]
        : [
            'RuntimeError',
            `cannot use '${String(this.received.at(-1)?.prompt)}' of /srv/comfyui/models/x.safetensors\n`,
          ];
    const details = {
      ...place,
      exception_message: message,
      exception_type: type,
      traceback: ['  File "<comfyui>/execution.py", line 510, in execute\n'],
      current_inputs: node?.inputs ?? {},
      current_outputs: [],
    };
    this.prompts.end({ event: 'execution_error', details });
  }

  private runAll([, , graph, , outputs]: QueueItem): Buffer[] {
    return outputs.flatMap((output) => runGraph(graph, output, () => this.clip));
  }

  /** The outputs of each node that saves, or its share of the given ones. */
  private save([, , graph, , outputs]: QueueItem, given?: Buffer[]): Record<string, object> {
    const left = given && [...given];
    const saved = outputs.map((output) => {
      const made = runGraph(graph, output, () => this.clip);
      return [output, this.saveFiles(graph, output, left ? left.splice(0, made.length) : made)] as const;
    });
    return Object.fromEntries(saved);
  }

  private saveFiles(graph: Graph, output: string, made: Buffer[]): object {
    const { prefix, isVideo } = sketchGraph(pruneTo(output, graph));
    const extension = isVideo ? '.mp4' : '.png';
    const files = this.files.save(
      prefix,
      made.map((bytes) => ({ bytes, extension })),
    );
    if (this.fault('name_server_paths'))
      return {
        gifs: files.map((file) => ({
          ...file,
          format: 'video/h264-mp4',
          frame_rate: 16,
          fullpath: `/srv/comfyui/output/${file.filename}`,
        })),
      };
    const previews: FileName[] = this.fault('list_previews')
      ? this.files.save('ComfyUI_temp_x', [{ bytes: Buffer.from('a preview'), extension: '.png' }], 'temp')
      : [];
    return { images: [...previews, ...files], ...(isVideo ? { animated: [true] } : {}) };
  }

  private toReceived(graph: Graph, extraData: Record<string, unknown>): ReceivedTask {
    const { width, height, seed, uploads } = sketchGraph(graph);
    const n = countFiles(graph);
    const beside = extraData['kinora'] as { prompt?: string; negative_prompt?: string } | undefined;
    const textAt = (title: string): string | undefined => {
      const node = Object.values(graph).find(({ _meta: meta }) => meta?.title === title);
      return (node?.inputs['text'] ?? node?.inputs['prompt']) as string | undefined;
    };
    return {
      prompt: textAt('PROMPT_POSITIVE') ?? beside?.prompt ?? null,
      negativePrompt: textAt('PROMPT_NEGATIVE') ?? beside?.negative_prompt ?? null,
      seed,
      width,
      height,
      n,
      images: uploads.flatMap((name) => this.files.findUpload(name) ?? []),
    };
  }

  protected answer(request: ReceivedHttpRequest, response: ServerResponse): void {
    this.routes.answer(request, response);
  }

  protected override upgrade(request: IncomingMessage, socket: Duplex): void {
    this.sockets.accept(request, socket, this.prompts.queueRemaining);
  }
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.posix.join(path.relative(folder, parentPath), name));
}
