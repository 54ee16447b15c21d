import { Injectable } from '@nestjs/common';
import type { JobEntry } from '@kinora/contracts/billing/billing.rpc';
import { LedgerRepository } from '../../wallet/ledger.repository';

/** Returns the entries of the ledger about a job, for its receipt. */
@Injectable()
export class FindJobEntries {
  constructor(private readonly ledger: LedgerRepository) {}

  async execute({ job_id }: { job_id: string }): Promise<{ entries: JobEntry[] }> {
    return { entries: await this.ledger.findOfJob(job_id) };
  }
}
