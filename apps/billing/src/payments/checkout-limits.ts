import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { formatUsd, type Micros } from '@kinora/contracts/shared/money';
import type { Queryable } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { BillingConfig } from '../billing.config';
import { AuditTrail } from '../operator/audit-trail.repository';
import { CheckoutRepository } from './checkout.repository';
import { CENT_MICROS } from './payment-providers';

/**
 * Unpaid checkouts of the last hour, per account and per network address. A test of stolen cards needs many; a customer who
 * changes the amount needs a few.
 */
export const UNPAID_PER_HOUR = { account: 10, address: 20 } as const;

/** How much a checkout may pay in, and how many may be begun. */
@Injectable()
export class CheckoutLimits {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly auditTrail: AuditTrail,
    private readonly config: BillingConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError invalid_body */
  assertAmount(amountMicros: Micros): void {
    const { min_micros: min, max_micros: max } = this.config.topUpBounds;
    if (amountMicros >= min && amountMicros <= max && amountMicros % CENT_MICROS === 0) return;
    const message = `Pay in whole cents from ${formatUsd(min)} to ${formatUsd(max)}.`;
    throw new ApiError('invalid_body', message, { param: 'amount_micros' });
  }

  /**
   * Under the lock of the account, and then of the address. The last checkout that is allowed records the pause for operators, so
   * refused requests write nothing. @throws ApiError rate_limited
   */
  async assertRoom(transaction: Queryable, accountId: string, address: string): Promise<void> {
    await this.checkouts.lockAddress(transaction, address);
    const recent = await this.checkouts.countRecent(transaction, accountId, address);
    if (recent.of_account >= UNPAID_PER_HOUR.account || recent.of_address >= UNPAID_PER_HOUR.address)
      throw new ApiError('rate_limited', 'Too many payments were begun and not paid. Try again in an hour.', {
        retry_after_seconds: 3_600,
      });
    if (recent.of_account + 1 < UNPAID_PER_HOUR.account) return;
    const pause = { account_id: accountId, address, reason: `${UNPAID_PER_HOUR.account} unpaid checkouts in an hour` };
    this.logger.warn(pause, 'checkouts_paused');
    await this.auditTrail.record(transaction, 'pause_checkouts', { ...pause, actor: 'billing' });
  }
}
