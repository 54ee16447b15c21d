import { type DrawOrder } from '../drawing/draw-order';

export type TaskState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

export interface Task {
  readonly id: string;
  readonly state: TaskState;
  readonly outputs: readonly TaskOutput[];
  readonly error: TaskError | null;
  /** Whether the task holds no render slot: it waits for a delay, or hangs by its directive. */
  readonly parked: boolean;
  /** 0 to 1: the part of its layers or frames that is drawn; 1 after a success. It never falls. */
  readonly progress: number;
  /** No GPU is involved, so there is no GPU time. */
  readonly gpu_ms: null;
}

export type TaskOutput = ImageTaskOutput | VideoOutput;

interface AnyOutput {
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly seed: number;
}

export interface ImageTaskOutput extends AnyOutput {
  readonly mime: 'image/png';
}

export interface VideoOutput extends AnyOutput {
  readonly mime: 'video/mp4';
  /** In seconds. */
  readonly duration: number;
  readonly fps: number;
}

export interface TaskError {
  readonly code: 'error' | 'invalid_input';
  readonly message: string;
}

/** The description of a drawn file in the protocol. */
export function toTaskOutput(drawing: DrawOrder, index: number, bytes: number): TaskOutput {
  const { width, height, seed } = drawing;
  if (drawing.operation !== 'video.generation') return { index, mime: 'image/png', width, height, bytes, seed };
  const { frames, fps } = drawing;
  return { index, mime: 'video/mp4', width, height, bytes, seed, duration: frames / fps, fps };
}
