import { Injectable } from '@nestjs/common';
import { Egress, EgressError } from '@kinora/egress';
import { webhookHeaders } from '@kinora/webhooks';
import { type AttemptResult, toAnsweredResult, toUnansweredResult } from './attempt-result';
import { toExcerpt } from './response-excerpt';
import type { ClaimedDelivery } from './claimed-delivery';

/** Covers name lookup, connection, handshake and answer together (decisions: Webhooks). */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** The status of an answer counts; its beginning is kept for its account, and must not hold the slot for long. */
const MAX_RESPONSE_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 1_000;

/** An attempt that has ended. The excerpt is hostile text, and not in the result because that is logged. */
export interface SentAttempt {
  result: AttemptResult;
  excerpt: string | null;
}

/** Makes one attempt at a delivery, signed with the current time. */
@Injectable()
export class WebhookSender {
  constructor(private readonly egress: Egress) {}

  async send({ id, event_type, url, body: text }: ClaimedDelivery, secrets: string[]): Promise<SentAttempt> {
    const body = Buffer.from(text, 'utf8');
    const headers = webhookHeaders({ deliveryId: id, eventType: event_type, body, secrets });
    const limits = {
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      bodyTimeoutMs: BODY_TIMEOUT_MS,
    };
    const beginMs = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - beginMs);
    try {
      const answer = await this.egress.send({ url, method: 'POST', headers, body, ...limits });
      const result = toAnsweredResult(answer, latencyMs());
      return { result, excerpt: toExcerpt(answer.body, [...secrets, headers['X-Service-Signature'] ?? '']) };
    } catch (error) {
      if (error instanceof EgressError)
        return { result: toUnansweredResult(error.failure, latencyMs()), excerpt: null };
      throw error;
    }
  }
}
