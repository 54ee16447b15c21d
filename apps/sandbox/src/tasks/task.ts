export type TaskState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

/** A task as the protocol shows it. */
export interface Task {
  readonly id: string;
  readonly state: TaskState;
  /** Filled when the task has succeeded. */
  readonly outputs: readonly TaskOutput[];
  readonly error: TaskError | null;
  /** No GPU takes part, so there is no number to tell. */
  readonly gpu_ms: null;
}

export interface TaskOutput {
  readonly index: number;
  readonly mime: 'image/png';
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly seed: number;
}

export interface TaskError {
  readonly code: 'error' | 'invalid_input';
  readonly message: string;
}
