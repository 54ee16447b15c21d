import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { ComputeProvider, InstanceCapacity } from './compute-provider.port';
import { type InstancePlaces, placesOf } from './instance-places';

/** A server that has restarted may work on more or less than before. */
const ASK_AGAIN_MS = 5_000;
const RETRY_MS = 1_000;
/** What is not known by then is taken to be small. */
const FIRST_ANSWER_WITHIN_MS = 500;

interface Asked {
  told: InstanceCapacity | null | undefined;
  askedAtMs: number;
  pending: Promise<void> | null;
}

/** How many tasks each instance works on, as its server says: asked now and then while there is work for it, never for a single job. */
@Injectable()
export class ProviderCapacities {
  private readonly asked = new Map<string, Asked>();

  places(provider: ComputeProvider): InstancePlaces {
    return placesOf(provider.concurrency, this.asked.get(provider.id)?.told);
  }

  /** Asks where the last answer is old, and waits for the very first answer only. */
  async refresh(provider: ComputeProvider): Promise<void> {
    const known = this.asked.get(provider.id);
    if (known) {
      if (isOld(known)) this.ask(provider, known);
      return;
    }
    const first: Asked = { told: undefined, askedAtMs: 0, pending: null };
    this.asked.set(provider.id, first);
    this.ask(provider, first);
    if (first.pending) await withTimeout(first.pending, FIRST_ANSWER_WITHIN_MS, () => undefined);
  }

  private ask(provider: ComputeProvider, asked: Asked): void {
    asked.askedAtMs = performance.now();
    if (!provider.readCapacity) {
      asked.told = null;
      return;
    }
    asked.pending = provider.readCapacity().then(
      (told) => {
        asked.told = told;
        asked.pending = null;
      },
      // Without an answer the last one stands.
      () => {
        asked.pending = null;
      },
    );
  }
}

function isOld({ told, askedAtMs, pending }: Asked): boolean {
  return pending === null && performance.now() - askedAtMs >= (told === undefined ? RETRY_MS : ASK_AGAIN_MS);
}
