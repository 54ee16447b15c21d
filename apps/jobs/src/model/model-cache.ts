import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type Operation, type ResolvedModel, catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';

/** Within a second of the operator's command a change of the catalog is in force. */
const FRESH_MS = 500;

/** The catalog's answers, kept for a moment: under load one question serves many requests. */
@Injectable()
export class ModelCache {
  private readonly answers = new Map<string, { askedAtMs: number; model: Promise<ResolvedModel> }>();

  constructor(private readonly bus: Bus) {}

  /** @throws ApiError model_unavailable, capacity */
  resolve(model: string, operation: Operation): Promise<ResolvedModel> {
    const key = `${operation} ${model}`;
    const known = this.answers.get(key);
    if (known && performance.now() - known.askedAtMs < FRESH_MS) return known.model;
    const answer = {
      askedAtMs: performance.now(),
      model: this.bus.request(catalogRpc.resolveModel, { model, operation }),
    };
    this.answers.set(key, answer);
    // Neither a refusal nor a failure is remembered: the names are the client's, and would fill the memory.
    answer.model.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return answer.model;
  }
}
