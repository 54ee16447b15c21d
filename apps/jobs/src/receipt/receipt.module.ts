import { Module } from '@nestjs/common';
import { ReceiptSigner } from './receipt-signer';
import { ReceiptKeyRepository, ReceiptRowRepository } from './receipt.repository';
import { ReceiptsController } from './receipts.controller';
import { GetReceipt, ListReceiptKeys } from './use-cases/get-receipt.query';
import { WithdrawReceiptKey } from './use-cases/withdraw-receipt-key.use-case';

/** Signed receipts of ended jobs. Only the role api has the keys that these need. */
@Module({
  controllers: [ReceiptsController],
  providers: [
    ReceiptKeyRepository,
    ReceiptRowRepository,
    ReceiptSigner,
    GetReceipt,
    ListReceiptKeys,
    WithdrawReceiptKey,
  ],
})
export class ReceiptModule {}
