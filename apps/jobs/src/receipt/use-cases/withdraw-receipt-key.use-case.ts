import { Injectable } from '@nestjs/common';
import type { ReceiptKey } from '@kinora/contracts/jobs/receipt';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { ReceiptKeyRepository } from '../receipt.repository';

/** Withdraws a public key whose private half has leaked: receipts that it has signed prove nothing from now on. */
@Injectable()
export class WithdrawReceiptKey {
  constructor(
    private readonly keys: ReceiptKeyRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError not_found */
  async execute({ kid }: { kid: string }): Promise<ReceiptKey> {
    const withdrawn = await this.keys.withdraw(kid);
    if (!withdrawn) throw new ApiError('not_found', 'There is no such key of receipts.');
    this.logger.warn({ kid }, 'receipt_key_withdrawn');
    return withdrawn;
  }
}
