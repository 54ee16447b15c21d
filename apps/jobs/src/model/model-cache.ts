import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type Operation, type PricesFor, type ResolvedModel, catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';

/** A change of the catalog takes effect within a second. */
const FRESH_MS = 500;
/** A model in use is renewed before it is stale, so that no request waits for the catalog. */
const RENEW_AFTER_MS = 250;

type ModelRequest = PricesFor & { model: string; operation: Operation };

interface Answer {
  requestedAtMs: number;
  model: Promise<ResolvedModel>;
  isRenewed: boolean;
}

/** Caches the catalog's answers briefly: under load one request to the catalog serves many creates. */
@Injectable()
export class ModelCache {
  private readonly answers = new Map<string, Answer>();

  constructor(private readonly bus: Bus) {}

  /** @throws ApiError model_unavailable, capacity */
  resolve(model: string, operation: Operation, priceGroup?: string): Promise<ResolvedModel> {
    const key = `${operation} ${model} ${priceGroup ?? ''}`;
    const request = { model, operation, ...(priceGroup !== undefined && { price_group: priceGroup }) };
    const known = this.answers.get(key);
    const ageMs = known ? performance.now() - known.requestedAtMs : FRESH_MS;
    if (!known || ageMs >= FRESH_MS) return this.refetch(key, request);
    if (ageMs >= RENEW_AFTER_MS && !known.isRenewed) {
      known.isRenewed = true;
      this.renew(key, this.fetch(request));
    }
    return known.model;
  }

  /** A failed renewal is ignored; the cached answer stays until it is stale. */
  private renew(key: string, answer: Answer): void {
    answer.model.then(
      () => this.answers.set(key, answer),
      () => undefined,
    );
  }

  private refetch(key: string, request: ModelRequest): Promise<ResolvedModel> {
    const answer = this.fetch(request);
    this.answers.set(key, answer);
    // Refusals and failures are not cached: clients choose the names, so they could fill the memory.
    answer.model.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return answer.model;
  }

  private fetch(request: ModelRequest): Answer {
    const requestedAtMs = performance.now();
    return { requestedAtMs, model: this.bus.request(catalogRpc.resolveModel, request), isRenewed: false };
  }
}
