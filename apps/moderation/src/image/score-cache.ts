import { sha256Of } from '../judging/sha256';

/** About a megabyte of memory. */
const MOST_SCORES = 10_000;

/**
 * The scores of the samples that were seen last, by their SHA-256: the model gives equal samples equal scores. The same image is often
 * the input of several jobs, and a screening that is repeated after a timeout goes on where it was.
 */
export class ScoreCache {
  private readonly scores = new Map<string, number>();

  /**
   * The score of each sample. `score` is asked for those that are not known, in their order.
   * @throws what `score` throws
   */
  async complete(samples: readonly Buffer[], score: (unknown: Buffer[]) => Promise<number[]>): Promise<number[]> {
    const keys = samples.map((sample) => sha256Of(sample));
    const known = keys.map((key) => this.scores.get(key));
    const unknown = samples.filter((_, at) => known[at] === undefined);
    const scored = unknown.length === 0 ? [] : await score(unknown);
    return known.map((given, at) => this.keep(keys[at] ?? '', given ?? scored.shift() ?? NaN));
  }

  /** Asks for all, whatever is known. @throws as above */
  async renew(samples: readonly Buffer[], score: (samples: Buffer[]) => Promise<number[]>): Promise<number[]> {
    const scores = await score([...samples]);
    return samples.map((sample, at) => this.keep(sha256Of(sample), scores[at] ?? NaN));
  }

  /** To be called when a canary has failed: the model may have given wrong scores since the last one. */
  clear(): void {
    this.scores.clear();
  }

  /** Becomes the newest; the oldest one goes. */
  private keep(key: string, score: number): number {
    this.scores.delete(key);
    this.scores.set(key, score);
    const [oldest] = this.scores.keys();
    if (this.scores.size > MOST_SCORES && oldest !== undefined) this.scores.delete(oldest);
    return score;
  }
}
