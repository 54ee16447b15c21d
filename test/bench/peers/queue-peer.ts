/** A job queue as its users would build on it. */
export interface QueuePeer {
  /** Puts one job in line, and settles once the queue has promised to keep it. */
  enqueue(mark: number): Promise<void>;
  /** Takes jobs from now on, as quickly as the queue's own worker does, and tells each one's mark as it begins. */
  work(onBegun: (mark: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** What is in line: as much as an image job says of itself. */
export interface Payload {
  mark: number;
  prompt: string;
}

export function payloadOf(mark: number): Payload {
  return { mark, prompt: 'x'.repeat(580) };
}

/** How many jobs a worker takes at once. */
export const CONCURRENCY = 32;
