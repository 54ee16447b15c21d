import { Injectable } from '@nestjs/common';
import { Egress, EgressError } from '@kinora/egress';
import { webhookHeaders } from '@kinora/webhooks';
import { type AttemptResult, type ClaimedDelivery, toAnsweredResult, toUnansweredResult } from './delivery-attempt';

/** What is kept of an answer, in bytes of UTF-8. */
export const EXCERPT_MAX_BYTES = 1024;
const REDACTED = '[redacted]';
/** All but tab and line feed; U+0000 cannot be stored, and others can forge lines in a terminal. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const SIGNATURE = /[0-9a-f]{64}/g;

/**
 * The beginning of a receiver's answer as text that is harmless to store and to show: valid UTF-8, bounded, without control
 * characters, and without the secrets and the signatures of this attempt. A receiver can send all that back.
 * @param secrets webhook secrets, and the header with the signatures
 */
export function toExcerpt(body: Buffer, secrets: readonly string[]): string {
  const hidden = secrets
    .flatMap((secret) => [secret, ...(secret.match(SIGNATURE) ?? [])])
    .filter((text) => text !== '');
  let text = new TextDecoder().decode(body);
  // Before the cut, which could leave the beginning of a secret.
  for (const secret of hidden) text = text.replaceAll(secret, REDACTED);
  return cut(text.replaceAll(CONTROL_CHARACTERS, '\ufffd'));
}

/** Cut between characters: an incomplete one at the end is left out. */
function cut(text: string): string {
  const bytes = Buffer.from(text, 'utf8').subarray(0, EXCERPT_MAX_BYTES);
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

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
