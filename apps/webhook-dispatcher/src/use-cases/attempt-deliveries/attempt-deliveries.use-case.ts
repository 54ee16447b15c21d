import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { Egress, EgressError } from '@kinora/egress';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type AttemptResult, toAnsweredResult, toUnansweredResult } from '../../delivery/attempt-result';
import { DeliveryRepository } from '../../delivery/delivery.repository';
import type { ClaimedDelivery } from '../../delivery/delivery.row';
import { sign } from '../../signature/sign';
import { WebhookDispatcherConfig } from '../../webhook-dispatcher.config';

/** Interface, "Delivery": "acknowledges with any 2xx within 10 seconds". */
const ATTEMPT_TIMEOUT_MS = 10_000;
/** The attempt, the question for the secrets before it, the result after it, and time to spare. */
const LEASE_MS = 30_000;
const WITHOUT_SECRETS_MS = 5_000;
const MAX_RESPONSE_BYTES = 16 * 1024;

/** Sends the webhooks that are due, each signed afresh over the bytes that were frozen when its job ended. */
@Injectable()
export class AttemptDeliveries {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly config: WebhookDispatcherConfig,
    private readonly deliveries: DeliveryRepository,
    private readonly bus: Bus,
    private readonly egress: Egress,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Begins as many attempts as there are free slots, and waits for none: a slow receiver must not hold up the others. */
  async execute(): Promise<'more' | 'idle'> {
    const free = this.config.slots - this.underWay.size;
    const claimed = free > 0 ? await this.deliveries.claimDue(free, LEASE_MS) : [];
    for (const delivery of claimed) this.begin(delivery);
    return claimed.length > 0 ? 'more' : 'idle';
  }

  /** Waits for the attempts under way; those that take longer are made again by whoever finds their lease at its end. */
  async settle(withinMs: number): Promise<void> {
    await Promise.race([Promise.all(this.underWay), delay(withinMs, undefined, { ref: false })]);
  }

  private begin(delivery: ClaimedDelivery): void {
    const attempt = this.attempt(delivery)
      .catch((error: unknown) =>
        this.logger.warn({ delivery_id: delivery.id, reason: String(error) }, 'delivery_attempt_interrupted'),
      )
      .finally(() => this.underWay.delete(attempt));
    this.underWay.add(attempt);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const secrets = await this.findSecrets(delivery.account_id);
    if (!secrets) return await this.deliveries.postpone(delivery, WITHOUT_SECRETS_MS);
    const result = await this.send(delivery, secrets);
    const counted = await this.deliveries.complete(delivery, result);
    this.logger.info({ delivery_id: delivery.id, ...result, counted }, 'delivery_attempted');
  }

  /** Null while billing does not answer: an unsigned webhook would be worse than a late one. */
  private async findSecrets(accountId: string): Promise<string[] | null> {
    try {
      const { secrets } = await this.bus.request(billingRpc.getWebhookSecrets, { account_id: accountId });
      return secrets.length > 0 ? secrets : null;
    } catch (error) {
      this.logger.warn({ account_id: accountId, reason: String(error) }, 'webhook_secrets_missing');
      return null;
    }
  }

  private async send({ id, event_type, url, body: text }: ClaimedDelivery, secrets: string[]): Promise<AttemptResult> {
    const body = Buffer.from(text, 'utf8');
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Kinora-Webhooks/1.0',
      'Accept-Encoding': 'identity',
      'X-Service-Event': event_type,
      'X-Service-Delivery': id,
      'X-Service-Signature': sign(body, secrets, Math.floor(Date.now() / 1_000)),
    };
    const limits = { timeoutMs: ATTEMPT_TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES };
    try {
      const { status } = await this.egress.send({ url, method: 'POST', headers, body, ...limits });
      return toAnsweredResult(status);
    } catch (error) {
      if (error instanceof EgressError) return toUnansweredResult(error.failure);
      throw error;
    }
  }
}
