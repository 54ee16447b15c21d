/** A job queue, used as its documentation recommends. */
export interface QueuePeer {
  /** Adds one job, and resolves when the queue has stored it. */
  enqueue(mark: number): Promise<void>;
  /** Starts the queue's own worker at its highest speed, and reports each job's mark as the job starts. */
  work(onBegun: (mark: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** The payload of a queued job: as large as that of an image job. */
export interface Payload {
  mark: number;
  prompt: string;
}

export function payloadOf(mark: number): Payload {
  return { mark, prompt: 'x'.repeat(580) };
}

/** Concurrent jobs of one worker. */
export const CONCURRENCY = 32;
