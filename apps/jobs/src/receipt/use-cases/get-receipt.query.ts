import { Injectable } from '@nestjs/common';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { isInFlight } from '@kinora/contracts/jobs/job';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import type { Receipt, ReceiptKey } from '@kinora/contracts/jobs/receipt';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Bus } from '@kinora/bus';
import { ReceiptSigner } from '../receipt-signer';
import { ReceiptKeyRepository, ReceiptRowRepository } from '../receipt.repository';
import { jobInFlight, toReceiptPayload } from '../receipt.view';

/** The signed statement about an ended job: facts of jobs, the ledger entries of billing, the decisions of moderation. */
@Injectable()
export class GetReceipt {
  constructor(
    private readonly bus: Bus,
    private readonly rows: ReceiptRowRepository,
    private readonly signer: ReceiptSigner,
  ) {}

  /** @throws ApiError not_found, job_in_flight, capacity */
  async execute({ account_id, job_id }: JobRef): Promise<Receipt> {
    const row = await this.rows.find(job_id, account_id);
    if (!row) throw new ApiError('not_found', 'There is no such job.');
    if (isInFlight(row.status)) throw jobInFlight();
    const [{ entries }, { decisions }] = await Promise.all([
      this.bus.request(billingRpc.findJobEntries, { job_id }),
      this.bus.request(moderationRpc.findJobDecisions, { account_id, job_id }),
    ]);
    return this.signer.sign(toReceiptPayload(row, { entries, decisions }));
  }
}

/** The public keys that verify receipts: of all processes, and of all former private keys. */
@Injectable()
export class ListReceiptKeys {
  constructor(
    private readonly signer: ReceiptSigner,
    private readonly keys: ReceiptKeyRepository,
  ) {}

  async execute({ with_withdrawn = false }: { with_withdrawn?: boolean }): Promise<{ keys: ReceiptKey[] }> {
    await this.signer.publish();
    return { keys: await this.keys.list({ withWithdrawn: with_withdrawn }) };
  }
}
