import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type Operation, type ResolvedModel, catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';

/** Within a second of the operator's command a change of the catalog is in force. */
const FRESH_MS = 500;
/** What is asked for all the time is asked again before it is old, so that no request has to wait for the answer. */
const RENEW_AFTER_MS = 250;

interface Answer {
  requestedAtMs: number;
  model: Promise<ResolvedModel>;
  isRenewed: boolean;
}

/** The catalog's answers, kept for a moment: under load one question serves many requests. */
@Injectable()
export class ModelCache {
  private readonly answers = new Map<string, Answer>();

  constructor(private readonly bus: Bus) {}

  /** @throws ApiError model_unavailable, capacity */
  resolve(model: string, operation: Operation): Promise<ResolvedModel> {
    const key = `${operation} ${model}`;
    const known = this.answers.get(key);
    const ageMs = known ? performance.now() - known.requestedAtMs : FRESH_MS;
    if (!known || ageMs >= FRESH_MS) return this.refetch(key, model, operation);
    if (ageMs >= RENEW_AFTER_MS && !known.isRenewed) {
      known.isRenewed = true;
      this.renew(key, this.fetch(model, operation));
    }
    return known.model;
  }

  /** A refusal counts when what is known is too old. */
  private renew(key: string, answer: Answer): void {
    answer.model.then(
      () => this.answers.set(key, answer),
      () => undefined,
    );
  }

  private refetch(key: string, model: string, operation: Operation): Promise<ResolvedModel> {
    const answer = this.fetch(model, operation);
    this.answers.set(key, answer);
    // Neither a refusal nor a failure is remembered: the names are the client's, and would fill the memory.
    answer.model.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return answer.model;
  }

  private fetch(model: string, operation: Operation): Answer {
    const requestedAtMs = performance.now();
    return { requestedAtMs, model: this.bus.request(catalogRpc.resolveModel, { model, operation }), isRenewed: false };
  }
}
