import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** OpenAI's clients wait a minute at most before they repeat a refused request. */
const REMEMBERED_MS = 60_000;
/** Of one credential and route: more are forgotten, oldest first. */
const COUNT_MAX = 1_000;
/** About 2 MB without the counts. */
const SENDERS_MAX = 10_000;

/**
 * First sendings that were refused before their bodies were read, as by the rate limit. The marked repeat of such a request is the
 * first sending that arrives, and not the repeat of an equal one that was answered. Which body was refused is unknown, so
 * refusals are counted: as many marked requests count as first sendings as first sendings were refused.
 */
export class RefusedPosts {
  /** When each refusal was, oldest first, by its sender. The least recently used sender comes first. */
  private readonly refusals = new Map<string, number[]>();

  add(request: FastifyRequest, nowMs = performance.now()): void {
    const sender = senderOf(request);
    const kept = this.recent(sender, nowMs).slice(1 - COUNT_MAX);
    this.refusals.delete(sender);
    this.refusals.set(sender, [...kept, nowMs]);
    const [leastRecent] = this.refusals.keys();
    if (this.refusals.size > SENDERS_MAX && leastRecent !== undefined) this.refusals.delete(leastRecent);
  }

  /** Whether a first sending of the same sender was refused that no other request has taken for its own. */
  take(request: FastifyRequest, nowMs = performance.now()): boolean {
    const sender = senderOf(request);
    const [oldest, ...later] = this.recent(sender, nowMs);
    if (later.length > 0) this.refusals.set(sender, later);
    else this.refusals.delete(sender);
    return oldest !== undefined;
  }

  private recent(sender: string, nowMs: number): number[] {
    return (this.refusals.get(sender) ?? []).filter((atMs) => nowMs - atMs < REMEMBERED_MS);
  }
}

/** A refused request has no caller yet. The hash keeps the key out of the memory of this process. */
function senderOf({ headers, routeOptions }: FastifyRequest): string {
  return hash('sha256', [headers['api-key'], headers.authorization, routeOptions.url].join(' '));
}
