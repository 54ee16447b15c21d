import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Receipt, ReceiptKey } from '@kinora/contracts/jobs/receipt';
import { GetReceipt, ListReceiptKeys } from './use-cases/get-receipt.query';
import { WithdrawReceiptKey } from './use-cases/withdraw-receipt-key.use-case';

/** Receipts of ended jobs, and the keys that verify them. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly getReceipt: GetReceipt,
    private readonly listReceiptKeys: ListReceiptKeys,
    private readonly withdrawReceiptKey: WithdrawReceiptKey,
  ) {}

  @Handles(jobsRpc.getReceipt)
  get(ref: JobRef): Promise<Receipt> {
    return this.getReceipt.execute(ref);
  }

  @Handles(jobsRpc.listReceiptKeys)
  listKeys(request: { with_withdrawn?: boolean }): Promise<{ keys: ReceiptKey[] }> {
    return this.listReceiptKeys.execute(request);
  }

  @Handles(jobsAdminRpc.withdrawReceiptKey)
  withdrawKey(request: { kid: string }): Promise<ReceiptKey> {
    return this.withdrawReceiptKey.execute(request);
  }
}
