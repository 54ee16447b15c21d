import type { FakeComfyui } from './fake-comfyui.fixtures';
import type { QueueItem } from './fake-prompts.fixtures';

const TICK_MS = 5;

/** A prompt on the card, in milliseconds of `performance.now()`: from the load of its model, if one is needed, to its end. */
export interface GpuWork {
  kind: string;
  isLoad: boolean;
  fromMs: number;
  untilMs: number;
}

/** Runs the prompts of a fake server, one at a time: each takes a while, and a graph of another kind has to be loaded first. */
export class LoadingGpu {
  /** The finished prompts, in order. */
  readonly work: GpuWork[] = [];
  readonly loads: string[] = [];
  private loaded: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: GpuWork | null = null;
  private loadedAtMs = 0;

  constructor(
    readonly server: FakeComfyui,
    private readonly times: { runMs: number; loadMs: number },
  ) {}

  get isLoading(): boolean {
    return this.running !== null && performance.now() < this.loadedAtMs;
  }

  start(): void {
    this.timer ??= setInterval(() => this.tick(), TICK_MS);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** The server is gone with all its tasks, and comes back with nothing loaded. */
  async restart(): Promise<void> {
    this.stop();
    await this.server.stop();
    this.server.restart();
    this.loaded = null;
    this.running = null;
    await this.server.start();
    this.start();
  }

  private tick(): void {
    const nowMs = performance.now();
    if (this.running && nowMs < this.running.untilMs) return;
    if (this.running && this.server.prompts.running) {
      this.server.finishRunning();
      this.work.push({ ...this.running, untilMs: nowMs });
    }
    const item = this.server.prompts.begin();
    this.running = item && this.begin(kindOf(item), nowMs);
  }

  private begin(kind: string, nowMs: number): GpuWork {
    const isLoad = kind !== this.loaded;
    if (isLoad) this.loads.push(kind);
    this.loaded = kind;
    this.loadedAtMs = nowMs + (isLoad ? this.times.loadMs : 0);
    return { kind, isLoad, fromMs: nowMs, untilMs: this.loadedAtMs + this.times.runMs };
  }
}

function kindOf([, , graph]: QueueItem): string {
  return Object.values(graph)
    .map(({ class_type: name }) => name)
    .sort()
    .join();
}
