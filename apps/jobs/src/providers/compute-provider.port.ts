/** One job's work as a backend gets it. */
export type ProviderTask = PictureTask | VideoTask;

interface AnyTask {
  /** Chosen by us and unique for the attempt, so that a lost answer can be looked up. */
  upstreamId: string;
  /** Byte-equal to what the client sent; empty where it sent none. */
  prompt: string;
  /** The client's, followed by the age-safety terms. */
  negativePrompt: string;
  width: number;
  height: number;
  seed: number;
  loras: { id?: string; url?: string; low_url?: string; strength: number }[];
  /** Upright, without metadata, re-encoded. */
  images: Buffer[];
}

export interface PictureTask extends AnyTask {
  operation: 'image.generation' | 'image.edit';
  n: number;
  steps?: number;
  guidance?: number;
}

/** Animates its one image. */
export interface VideoTask extends AnyTask {
  operation: 'video.generation';
  durationSeconds: number;
  fps: number;
}

/**
 * What became of a submission. `accepted`: taken, waits there. `running`: taken and begun. `refused`: proven not taken,
 * may be tried again. `rejected`: proven not taken, and never will be. `unknown`: nobody can say, so it must be looked
 * up and never simply sent again.
 */
export type SubmitOutcome = 'accepted' | 'running' | 'refused' | 'rejected' | 'unknown';

/**
 * How a task stands. `not_found` is a backend's proof that it holds no such task. A missing answer is `unreachable`,
 * which proves nothing.
 */
export type UpstreamStatus =
  | { state: 'queued' | 'running' | 'not_found' | 'unreachable' }
  | { state: 'succeeded'; outputCount: number; gpuMs: number | null }
  | { state: 'failed'; gpuMs: number | null };

/** A compute backend. No method throws for what the backend does, save fetchOutput, which promises bytes. */
export interface ComputeProvider {
  readonly id: string;
  /** Tasks that may be under way at once over all processes. */
  readonly concurrency: number;
  /** Whether what it makes comes from a trained model or from plain code; it is marked in every file. */
  readonly provenance: 'trainedAlgorithmicMedia' | 'algorithmicMedia';

  submit(task: ProviderTask): Promise<SubmitOutcome>;
  /** One entry for each id asked. */
  statuses(upstreamIds: string[]): Promise<Map<string, UpstreamStatus>>;
  /** @throws ProviderUnreachable when the bytes cannot be had now. */
  fetchOutput(upstreamId: string, index: number): Promise<Buffer>;
  /** Best effort; also lets the backend forget the outputs. */
  cancel(upstreamId: string): Promise<void>;
}

/** A backend did not answer, or not in its own language; nothing is known. */
export class ProviderUnreachable extends Error {}
