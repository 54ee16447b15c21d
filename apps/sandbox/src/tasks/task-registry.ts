import { type Draw, type DrawOrder, InvalidInputError, type ReadPercent } from '../drawing/draw-order';
import { createRandom } from '../raster/random';
import { type Task, type TaskError, type TaskOutput, type TaskState, toTaskOutput } from './task';
import { type TaskOrder } from './task-order';

export interface RegistryLimits {
  /** How long a task is kept after its end. */
  readonly forgetAfterMs: number;
  /** Limit of the outputs in memory; the oldest are dropped beyond it. */
  readonly maxOutputBytes: number;
  /** Limit of the input images in memory; tasks that exceed it are refused until others have ended. */
  readonly maxInputBytes: number;
  readonly maxUnfinished: number;
}

export const REGISTRY_LIMITS: RegistryLimits = {
  forgetAfterMs: 600_000,
  maxOutputBytes: 512 * 1024 * 1024,
  maxInputBytes: 512 * 1024 * 1024,
  maxUnfinished: 100_000,
};

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const MP4_FILE_TYPE = Buffer.from('\0\0\0\x10ftypisom\0\0\x02\0', 'latin1');

/** No further task can be accepted now. */
export class CapacityError extends Error {}

interface TaskRecord {
  readonly id: string;
  order: TaskOrder;
  /** The bytes of inputs that are still in memory. */
  inputBytes: number;
  state: TaskState;
  parked: boolean;
  outputs: Uint8Array[];
  begun: ReadPercent[];
  error: TaskError | null;
  endedAt: number;
  /** Cancels the task's timer or drawing. */
  stop: () => void;
}

/**
 * All tasks, in memory only: a restarted sandbox answers that a task is unknown, from which its clients detect the
 * loss.
 */
export class TaskRegistry {
  private readonly records = new Map<string, TaskRecord>();
  /** Those that have ended, oldest first. */
  private readonly ended = new Set<TaskRecord>();
  private inputBytes = 0;
  private outputBytes = 0;

  constructor(
    private readonly draw: Draw,
    private readonly limits: RegistryLimits = REGISTRY_LIMITS,
    private readonly now: () => number = Date.now,
  ) {}

  find(id: string): Task | undefined {
    this.forgetOld();
    const record = this.records.get(id);
    return record && toTask(record);
  }

  /** Starts a task; a known id is answered with the task's present state and starts nothing. */
  submit(id: string, order: TaskOrder): Task {
    const known = this.find(id);
    if (known) return known;
    if (order.directives.fail === 'capacity') throw new CapacityError('The prompt asks to be refused.');
    const record = this.admit(id, order);
    if (order.directives.delayMs > 0) this.wait(record);
    else this.proceed(record);
    return toTask(record);
  }

  output(id: string, index: number): { bytes: Uint8Array; mime: TaskOutput['mime'] } | undefined {
    const record = this.records.get(id);
    const bytes = record?.outputs[index];
    return bytes && { bytes, mime: toTaskOutput(record.order.drawings[index]!, index, bytes.byteLength).mime };
  }

  /** Undefined for an unknown task. Frees the memory of the task, also when it has ended already. */
  cancel(id: string): { state: TaskState; stopped: boolean } | undefined {
    const record = this.records.get(id);
    if (!record) return undefined;
    const stopped = isUnfinished(record);
    if (stopped) this.end(record, 'canceled');
    this.dropOutputs(record);
    return { state: record.state, stopped };
  }

  /** Stops everything, so that no timer keeps the process alive. */
  close(): void {
    for (const record of this.records.values()) record.stop();
  }

  private admit(id: string, order: TaskOrder): TaskRecord {
    const inputBytes = (order.drawings[0]?.images ?? []).reduce((sum, image) => sum + image.byteLength, 0);
    const unfinished = this.records.size - this.ended.size;
    if (unfinished >= this.limits.maxUnfinished || this.inputBytes + inputBytes > this.limits.maxInputBytes)
      throw new CapacityError('There is no room for another task now.');
    const record: TaskRecord = {
      id,
      order,
      inputBytes,
      state: 'queued',
      parked: false,
      outputs: [],
      begun: [],
      error: null,
      endedAt: 0,
      stop: () => undefined,
    };
    this.inputBytes += inputBytes;
    this.records.set(id, record);
    return record;
  }

  /** A delayed task is reported as running, but takes no render slot. */
  private wait(record: TaskRecord): void {
    record.state = 'running';
    record.parked = true;
    const timer = setTimeout(() => this.proceed(record), record.order.directives.delayMs);
    record.stop = () => clearTimeout(timer);
  }

  private proceed(record: TaskRecord): void {
    record.parked = record.order.directives.fail === 'timeout';
    switch (record.order.directives.fail) {
      case 'error':
        return this.fail(record, { code: 'error', message: 'The prompt asks to fail.' });
      case 'timeout':
        record.state = 'running';
        // The task never ends, and its inputs are never read: they would use up the memory limit of other tasks.
        this.dropInputs(record);
        return;
      case 'lost':
        this.dropInputs(record);
        this.records.delete(record.id);
        return;
      case 'corrupt':
        return this.succeed(record, record.order.drawings.map(corruptFile));
      case 'capacity':
      case undefined:
        void this.drawAll(record);
    }
  }

  private async drawAll(record: TaskRecord): Promise<void> {
    const abort = new AbortController();
    record.stop = () => abort.abort();
    const onStart = (readPercent: ReadPercent): void => {
      record.begun.push(readPercent);
      if (record.state === 'queued') record.state = 'running';
    };
    try {
      const outputs = await Promise.all(
        record.order.drawings.map((drawing) => this.draw(drawing, abort.signal, onStart)),
      );
      if (isUnfinished(record)) this.succeed(record, outputs);
    } catch (error) {
      if (!isUnfinished(record)) return;
      const code = error instanceof InvalidInputError ? 'invalid_input' : 'error';
      this.fail(record, { code, message: error instanceof Error ? error.message : String(error) });
    }
  }

  private succeed(record: TaskRecord, outputs: Uint8Array[]): void {
    record.outputs = outputs;
    for (const output of outputs) this.outputBytes += output.byteLength;
    this.end(record, 'succeeded');
    this.forgetOld();
  }

  private fail(record: TaskRecord, error: TaskError): void {
    record.error = error;
    this.end(record, 'failed');
  }

  private end(record: TaskRecord, state: TaskState): void {
    record.state = state;
    record.parked = false;
    record.endedAt = this.now();
    record.stop();
    this.dropInputs(record);
    this.ended.add(record);
  }

  private forgetOld(): void {
    for (const record of this.ended) {
      const isDue = record.endedAt + this.limits.forgetAfterMs <= this.now();
      if (!isDue && this.outputBytes <= this.limits.maxOutputBytes) return;
      this.dropOutputs(record);
      this.ended.delete(record);
      this.records.delete(record.id);
    }
  }

  private dropInputs(record: TaskRecord): void {
    this.inputBytes -= record.inputBytes;
    record.inputBytes = 0;
    const drawings = record.order.drawings.map((drawing) => ({ ...drawing, images: [] }));
    record.order = { ...record.order, drawings };
  }

  private dropOutputs(record: TaskRecord): void {
    for (const output of record.outputs) this.outputBytes -= output.byteLength;
    record.outputs = [];
  }
}

function isUnfinished({ state }: TaskRecord): boolean {
  return state === 'queued' || state === 'running';
}

function toTask(record: TaskRecord): Task {
  const { id, state, parked, order, outputs, error } = record;
  return {
    id,
    state,
    outputs: outputs.map((bytes, index) => toTaskOutput(order.drawings[index]!, index, bytes.byteLength)),
    error,
    parked,
    progress: progressOf(record),
    gpu_ms: null,
  };
}

function progressOf({ state, order, begun }: TaskRecord): number {
  if (state === 'succeeded') return 1;
  const percent = begun.reduce((sum, readPercent) => sum + readPercent(), 0) / order.drawings.length;
  return Math.floor(percent) / 100;
}

/** Bytes that begin like a PNG or an MP4 file and are invalid: the output of a broken worker. */
function corruptFile({ operation, seed }: DrawOrder): Uint8Array {
  const random = createRandom(seed);
  const start = operation === 'video.generation' ? MP4_FILE_TYPE : PNG_SIGNATURE;
  return Uint8Array.from({ length: 4096 }, (_, i) => start[i] ?? Math.floor(random() * 256));
}
