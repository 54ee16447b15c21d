import { Controller, Get, Header, Injectable } from '@nestjs/common';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Receipt } from '@kinora/contracts/jobs/receipt';
import { Bus } from '@kinora/bus';
import { Clock } from '@kinora/service-kit';
import { type PublicJwk, toPublicJwk } from '@kinora/signatures';
import { AddressedJob } from '../http/parameters.decorator';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('jobs')
export class ReceiptsController {
  constructor(private readonly bus: Bus) {}

  @Get(':id/receipt')
  @Operation({
    operationId: 'getReceipt',
    tag: 'Jobs',
    summary: 'Get the receipt of an ended job',
    description:
      'A signed statement: what was requested, how the price came about, what was reserved, charged or refunded, and which ' +
      'decisions moderation made. It outlives the outputs and the content of the job. Verify `jws` with the keys at ' +
      '`/.well-known/jwks.json`, beside `/v1`, by any JOSE library or by `kinora receipt verify`.',
    answers: { 200: 'The receipt.' },
    errors: jobsRpc.getReceipt.errors,
  })
  get(@AddressedJob() ref: JobRef): Promise<Receipt> {
    return this.bus.request(jobsRpc.getReceipt, ref);
  }
}

/** A new or a withdrawn key is known to every gateway after this time. */
const FRESH_MS = 60_000;
/** While jobs does not answer, requests without a key cause no more than one request to it in this time. */
const RETRY_MS = 1_000;

/** The keys that verify receipts, cached: clients without an API key may read them as often as they like. */
@Injectable()
export class PublishedKeys {
  private known: PublicJwk[] | null = null;
  private reading: Promise<PublicJwk[]> | null = null;
  private nextReadAtMs = 0;

  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
  ) {}

  /** The last known keys while jobs does not answer. @throws ApiError capacity if none are known */
  async list(): Promise<PublicJwk[]> {
    if (!this.reading || this.clock.nowMs() >= this.nextReadAtMs) {
      this.nextReadAtMs = this.clock.nowMs() + RETRY_MS;
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
      this.nextReadAtMs = this.clock.nowMs() + FRESH_MS;
      return this.known;
    } catch (error) {
      if (this.known) return this.known;
      throw error;
    }
  }
}

/** Beside /v1, where JOSE libraries look for keys. */
export const JWKS_PATH = '.well-known/jwks.json';

/** The public keys of receipts as a JWK set (RFC 7517). */
@Controller()
export class JwksController {
  constructor(private readonly keys: PublishedKeys) {}

  // A verifier that caches longer would miss a withdrawn key. A new key is published long before it signs.
  @Get(JWKS_PATH)
  @RoutePolicy({ access: 'public' })
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('X-Content-Type-Options', 'nosniff')
  async list(): Promise<{ keys: PublicJwk[] }> {
    return { keys: await this.keys.list() };
  }
}
