import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { ComputeProvider, InstanceCapacity } from './compute-provider.port';
import { type InstanceSlots, slotsOf } from './instance-slots';

/** A server may have another capacity after a restart. */
const REFRESH_AFTER_MS = 5_000;
const RETRY_MS = 1_000;
/** After this time without an answer, a concurrency of one is assumed. */
const FIRST_ANSWER_WITHIN_MS = 500;

interface CapacityQuery {
  capacity: InstanceCapacity | null | undefined;
  requestedAtMs: number;
  pending: Promise<void> | null;
}

/**
 * Caches the capacity of each instance, as its server reports it: refreshed at intervals while there are jobs for it, never
 * for a single job.
 */
@Injectable()
export class ProviderCapacities {
  private readonly queries = new Map<string, CapacityQuery>();

  slots(provider: ComputeProvider): InstanceSlots {
    return slotsOf(provider.concurrency, this.queries.get(provider.id)?.capacity);
  }

  /** Refreshes an old answer in the background, and waits for the first answer only. */
  async refresh(provider: ComputeProvider): Promise<void> {
    const known = this.queries.get(provider.id);
    if (known) {
      if (isOld(known)) this.call(provider, known);
      return;
    }
    const first: CapacityQuery = { capacity: undefined, requestedAtMs: 0, pending: null };
    this.queries.set(provider.id, first);
    this.call(provider, first);
    if (first.pending) await withTimeout(first.pending, FIRST_ANSWER_WITHIN_MS, () => undefined);
  }

  private call(provider: ComputeProvider, query: CapacityQuery): void {
    query.requestedAtMs = performance.now();
    if (!provider.readCapacity) {
      query.capacity = null;
      return;
    }
    query.pending = provider.readCapacity().then(
      (capacity) => {
        query.capacity = capacity;
        query.pending = null;
      },
      // After an error, the last answer is kept.
      () => {
        query.pending = null;
      },
    );
  }
}

function isOld({ capacity, requestedAtMs, pending }: CapacityQuery): boolean {
  return (
    pending === null && performance.now() - requestedAtMs >= (capacity === undefined ? RETRY_MS : REFRESH_AFTER_MS)
  );
}
