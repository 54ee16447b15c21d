import type { FakeComfyui } from './fake-comfyui.fixtures';
import type { QueueItem } from './fake-prompts.fixtures';

const TICK_MS = 5;

/** Runs the prompts of a fake server, one at a time: each takes a while, and a graph of another kind has to be loaded first. */
export class LoadingGpu {
  /** The kind of each loaded graph. */
  readonly loads: string[] = [];
  private loaded: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private endsAtMs = 0;
  private loadedAtMs = 0;

  constructor(
    readonly server: FakeComfyui,
    private readonly times: { runMs: number; loadMs: number },
  ) {}

  get isLoading(): boolean {
    return this.server.prompts.running !== null && performance.now() < this.loadedAtMs;
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS);
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
    await this.server.start();
    this.start();
  }

  private tick(): void {
    if (this.server.prompts.running) {
      if (performance.now() >= this.endsAtMs) this.server.finishRunning();
      return;
    }
    const item = this.server.prompts.begin();
    if (!item) return;
    const kind = kindOf(item);
    const isLoad = kind !== this.loaded;
    if (isLoad) this.loads.push(kind);
    this.loaded = kind;
    this.loadedAtMs = performance.now() + (isLoad ? this.times.loadMs : 0);
    this.endsAtMs = this.loadedAtMs + this.times.runMs;
  }
}

function kindOf([, , graph]: QueueItem): string {
  return Object.values(graph)
    .map(({ class_type: name }) => name)
    .sort()
    .join();
}
