import { Injectable } from '@nestjs/common';
import { Egress, EgressError } from '@kinora/egress';
import { webhookHeaders } from '@kinora/webhooks';
import { type AttemptResult, toAnsweredResult, toUnansweredResult } from './attempt-result';
import type { ClaimedDelivery } from './claimed-delivery';

/** Covers name lookup, connection, handshake and answer together (decisions: Webhooks). */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** Only the status of an answer is used. */
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Makes one attempt at a delivery, signed with the current time. */
@Injectable()
export class WebhookSender {
  constructor(private readonly egress: Egress) {}

  async send({ id, event_type, url, body: text }: ClaimedDelivery, secrets: string[]): Promise<AttemptResult> {
    const body = Buffer.from(text, 'utf8');
    const headers = webhookHeaders({ deliveryId: id, eventType: event_type, body, secrets });
    const limits = { timeoutMs: ATTEMPT_TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES };
    const beginMs = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - beginMs);
    try {
      return toAnsweredResult(await this.egress.send({ url, method: 'POST', headers, body, ...limits }), latencyMs());
    } catch (error) {
      if (error instanceof EgressError) return toUnansweredResult(error.failure, latencyMs());
      throw error;
    }
  }
}
