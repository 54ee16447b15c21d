import { Worker } from 'node:worker_threads';
import { type Draw, type DrawOrder, InvalidInputError, type ReadPercent, SHARED } from '../drawing/draw-order';
import { DrawingQueue } from './drawing-queue';
import { type RenderReply, type RenderRequest } from './render.worker';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** Fewer crashes may be caused by the orders themselves. */
const UNHEALTHY_AFTER_CRASHES = 5;

/** The program of the threads, and the arguments that Node needs to run it. */
export interface WorkerProgram {
  readonly file: string;
  readonly execArgv?: string[];
}

interface Drawing {
  readonly order: DrawOrder;
  readonly signal: AbortSignal;
  readonly shared: Uint8Array;
  readonly onStart: (readPercent: ReadPercent) => void;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Draws on a few threads, scheduling tasks by round-robin. The threads start with the first drawing. A thread that dies
 * is replaced, and only its drawing fails.
 */
export class RenderPool {
  private readonly waiting = new DrawingQueue<Drawing>();
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Drawing>();
  private crashesSinceReply = 0;
  private started = false;
  private closed = false;

  constructor(
    private readonly program: WorkerProgram,
    private readonly threads: number,
  ) {}

  readonly draw: Draw = (order, signal, onStart) =>
    new Promise((resolve, reject) => {
      const drawing: Drawing = {
        order,
        signal,
        shared: new Uint8Array(new SharedArrayBuffer(2)),
        onStart,
        resolve,
        reject,
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', () => this.cancel(drawing), { once: true });
      this.waiting.add(drawing);
      this.start();
      this.dispatch();
    });

  /** False while its threads die repeatedly and none of them answers. */
  get isHealthy(): boolean {
    return this.crashesSinceReply < UNHEALTHY_AFTER_CRASHES;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.idle, ...this.busy.keys()].map((worker) => worker.terminate()));
  }

  private cancel(drawing: Drawing): void {
    this.waiting.delete(drawing);
    Atomics.store(drawing.shared, SHARED.canceled, 1);
    drawing.reject(drawing.signal.reason);
  }

  private dispatch(): void {
    while (this.idle.length > 0) {
      const drawing = this.waiting.next();
      const worker = drawing && this.idle.pop();
      if (!worker) return;
      this.busy.set(worker, drawing);
      drawing.onStart(() => Atomics.load(drawing.shared, SHARED.percent));
      worker.postMessage({ order: drawing.order, shared: drawing.shared } satisfies RenderRequest);
    }
  }

  private start(): void {
    if (this.started) return;
    this.started = true;
    for (let i = 0; i < this.threads; i++) this.addWorker();
  }

  private addWorker(): void {
    if (this.closed) return;
    const { file, execArgv } = this.program;
    const worker = new Worker(file, execArgv && { execArgv });
    worker.on('message', (reply: RenderReply) => this.finish(worker, reply));
    worker.on('error', (error) => this.busy.get(worker)?.reject(error));
    worker.on('exit', () => this.replace(worker));
    this.idle.push(worker);
  }

  private finish(worker: Worker, reply: RenderReply): void {
    const drawing = this.busy.get(worker);
    this.crashesSinceReply = 0;
    this.busy.delete(worker);
    this.idle.push(worker);
    if (drawing) this.waiting.finish(drawing);
    this.dispatch();
    if (!drawing) return;
    if ('bytes' in reply) drawing.resolve(reply.bytes);
    else
      drawing.reject(
        reply.problem === 'invalid_input' ? new InvalidInputError(reply.message) : new Error(reply.message),
      );
  }

  private replace(worker: Worker): void {
    if (this.closed) return;
    this.busy.get(worker)?.reject(new Error('The thread that drew it has ended.'));
    this.busy.delete(worker);
    const place = this.idle.indexOf(worker);
    if (place >= 0) this.idle.splice(place, 1);
    this.crashesSinceReply += 1;
    const timer = setTimeout(() => {
      this.addWorker();
      this.dispatch();
    }, replacementDelayMs(this.crashesSinceReply));
    // The timer must not keep the process alive after the pool is closed.
    timer.unref();
  }
}

/** Threads that die before they answer are likely to die again, so each is replaced after a longer delay. */
export function replacementDelayMs(crashesSinceReply: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (crashesSinceReply - 1), LONGEST_DELAY_MS);
}
