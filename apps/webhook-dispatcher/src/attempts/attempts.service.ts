import { Injectable } from '@nestjs/common';
import { Bus, withTimeout } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { InjectLogger, type Logger, WakeUp } from '@kinora/service-kit';
import { type SpanShape, inTrace } from '@kinora/tracing';
import { type ClaimedDelivery, decideNextStep, LEASE_MS, meterAttempt } from '../delivery/delivery-attempt';
import { DueDeliveryRepository, type SlotRoom } from '../delivery/due-delivery.repository';
import { ATTEMPT_TIMEOUT_MS, WebhookSender } from '../delivery/webhook-sender';
import { type Occupant, Slots, receiverOf } from './slots';
import { WebhookDispatcherConfig } from '../webhook-dispatcher.config';

/**
 * An attempt must begin within this time after the claim. A later one may still run when the lease ends and another
 * process attempts the same delivery.
 */
const BEGIN_WITHIN_MS = LEASE_MS - 2 * ATTEMPT_TIMEOUT_MS;
const WITHOUT_SECRETS_MS = 5_000;

/** Null while billing does not answer: a late webhook is better than an unsigned one. */
export type Secrets = string[] | null;

const DELIVERING: SpanShape = { kind: 'internal' };

/** The attempts that run in this process; each occupies one slot. */
@Injectable()
export class Attempts {
  private readonly running = new Set<Promise<void>>();
  private readonly slots: Slots;
  /**
   * Receivers, hosts and accounts without a free slot at the last claim. A freed slot wakes the loop early only if it belongs to
   * one of these.
   */
  private saturated = new Set<string>();

  constructor(
    config: WebhookDispatcherConfig,
    private readonly due: DueDeliveryRepository,
    private readonly bus: Bus,
    private readonly sender: WebhookSender,
    private readonly wakeUp: WakeUp<'deliver'>,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.slots = new Slots(config.slots);
  }

  /** The free slots for each receiver, host and account; null if every slot is taken. */
  freeRoom(): SlotRoom | null {
    if (this.slots.areTaken) return null;
    const room = this.slots.room();
    this.saturated = new Set([...room.closedReceivers, ...room.closedHosts, ...room.closedAccounts]);
    return room;
  }

  /** Reserves a slot for a delivery that is about to be written. */
  reserve(occupant: Occupant): boolean {
    const hasRoom = this.slots.hasRoomFor(occupant);
    if (hasRoom) this.slots.take(occupant);
    return hasRoom;
  }

  /** Frees a slot that was reserved or in use. */
  release(occupant: Occupant): void {
    const wasFull = this.slots.areTaken;
    this.slots.free(occupant);
    const limits = [receiverOf(occupant), occupant.host, occupant.account_id];
    if (wasFull || limits.some((each) => this.saturated.has(each))) this.wakeUp.notify('deliver');
  }

  /** Begins an attempt in a new slot and does not wait for it: a slow receiver must not delay other deliveries. */
  begin(delivery: ClaimedDelivery, claimedAtMs: number): void {
    this.slots.take(delivery);
    this.beginReserved(delivery, claimedAtMs);
  }

  /** Begins an attempt in the slot reserved for it. `secrets` is given if the caller has already requested them. */
  beginReserved(delivery: ClaimedDelivery, claimedAtMs: number, secrets?: Promise<Secrets>): void {
    const attempt = inTrace(delivery.traceparent, 'attempt_delivery', DELIVERING, (span) => {
      span.set({ 'kinora.delivery_id': delivery.id, 'kinora.attempt': delivery.attempts + 1 });
      return this.attempt(delivery, claimedAtMs, secrets ?? this.findSecrets(delivery.account_id));
    })
      .catch((error: unknown) =>
        this.logger.warn({ delivery_id: delivery.id, reason: String(error) }, 'delivery_attempt_interrupted'),
      )
      .finally(() => {
        this.running.delete(attempt);
        this.release(delivery);
      });
    this.running.add(attempt);
  }

  /** Requests the account's webhook secrets from billing; never rejects. */
  async findSecrets(accountId: string): Promise<Secrets> {
    try {
      const { secrets } = await this.bus.request(billingRpc.getWebhookSecrets, { account_id: accountId });
      return secrets.length > 0 ? secrets : null;
    } catch (error) {
      this.logger.warn({ account_id: accountId, reason: String(error) }, 'webhook_secrets_missing');
      return null;
    }
  }

  /**
   * Waits for the running attempts. Those that take longer are repeated by another process after their lease expires.
   */
  async settle(withinMs: number): Promise<void> {
    await withTimeout(Promise.all(this.running), withinMs, () => undefined);
  }

  private async attempt(
    delivery: ClaimedDelivery,
    claimedAtMs: number,
    pendingSecrets: Promise<Secrets>,
  ): Promise<void> {
    const secrets = await pendingSecrets;
    if (!secrets) return await this.due.postpone(delivery, WITHOUT_SECRETS_MS);
    if (performance.now() - claimedAtMs > BEGIN_WITHIN_MS)
      throw new Error('The lease would end during the attempt, so it is not begun.');
    const { result, excerpt } = await this.sender.send(delivery, secrets);
    this.slots.recordResult(delivery, result);
    const next = decideNextStep(delivery.attempts, result);
    meterAttempt(delivery, result, next);
    const counted = await this.due.endAttempt(delivery, { result, excerpt }, next);
    this.logger.info({ delivery_id: delivery.id, ...result, status: next.status, counted }, 'delivery_attempted');
  }
}
