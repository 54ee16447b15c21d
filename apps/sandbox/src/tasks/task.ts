import { type DrawOrder } from '../drawing/draw-order';

export type TaskState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

/** A task as the protocol shows it. */
export interface Task {
  readonly id: string;
  readonly state: TaskState;
  /** Filled when the task has succeeded. */
  readonly outputs: readonly TaskOutput[];
  readonly error: TaskError | null;
  /** Whether it uses no render slot now: it waits out a delay, or hangs on purpose. */
  readonly parked: boolean;
  /** No GPU takes part, so there is no number to tell. */
  readonly gpu_ms: null;
}

export type TaskOutput = PictureOutput | VideoOutput;

interface AnyOutput {
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly seed: number;
}

export interface PictureOutput extends AnyOutput {
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

/** What the protocol tells of a file that was drawn. */
export function toTaskOutput(drawing: DrawOrder, index: number, bytes: number): TaskOutput {
  const { width, height, seed } = drawing;
  if (drawing.operation !== 'video.generation') return { index, mime: 'image/png', width, height, bytes, seed };
  const { frames, fps } = drawing;
  return { index, mime: 'video/mp4', width, height, bytes, seed, duration: frames / fps, fps };
}
