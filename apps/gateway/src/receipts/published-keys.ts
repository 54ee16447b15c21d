import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type PublicJwk, toPublicJwk } from '@kinora/signatures';

/** A new or a withdrawn key is known to every gateway after this time. */
const FRESH_MS = 60_000;
/** While jobs does not answer, requests without a key cause no more than one request to it in this time. */
const RETRY_MS = 1_000;

/** The keys that verify receipts, cached: clients without an API key may read them as often as they like. */
@Injectable()
export class PublishedKeys {
  private known: PublicJwk[] | null = null;
  private reading: Promise<PublicJwk[]> | null = null;
  /** On the monotonic clock. */
  private nextReadAtMs = 0;

  constructor(private readonly bus: Bus) {}

  /** The last known keys while jobs does not answer. @throws ApiError capacity if none are known */
  async list(): Promise<PublicJwk[]> {
    if (!this.reading || performance.now() >= this.nextReadAtMs) {
      this.nextReadAtMs = performance.now() + RETRY_MS;
      this.reading = this.read();
      // The caller awaits the promise below; a later caller may find it rejected.
      this.reading.catch(() => undefined);
    }
    return this.reading;
  }

  private async read(): Promise<PublicJwk[]> {
    try {
      const { keys } = await this.bus.request(jobsRpc.listReceiptKeys, {});
      this.known = keys.map(({ x }) => toPublicJwk(x));
      this.nextReadAtMs = performance.now() + FRESH_MS;
      return this.known;
    } catch (error) {
      if (this.known) return this.known;
      throw error;
    }
  }
}
