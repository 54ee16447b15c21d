import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { SUSPENDED_JOBS_MAX, suspendedAccountsRpc } from '@kinora/contracts/jobs/suspended-accounts.rpc';
import { AccountRepository } from '../account/account.repository';
import { HoldRepository } from '../wallet/hold.repository';

/**
 * Has the jobs of a suspended account canceled, one for each open hold. A suspended account gets no further hold, so after this none
 * of its jobs is in flight.
 */
@Injectable()
export class CancelSuspendedJobs {
  constructor(
    private readonly bus: Bus,
    private readonly accounts: AccountRepository,
    private readonly holds: HoldRepository,
  ) {}

  /** @throws Error if a job was not canceled; a repeat cancels it. */
  async execute(account_id: string): Promise<void> {
    if ((await this.accounts.getDetails(account_id)).status !== 'suspended') return;
    let cursor: string | null = null;
    do cursor = await this.cancelPage(account_id, cursor);
    while (cursor !== null);
  }

  /** @returns the job after which the next page begins; null after the last page. */
  private async cancelPage(account_id: string, cursor: string | null): Promise<string | null> {
    const holds = await this.holds.listOpenOfAccount(account_id, { cursor, limit: SUSPENDED_JOBS_MAX });
    if (holds.length === 0) return null;
    const job_ids = holds.map(({ job_id }) => job_id);
    const { settled } = await this.bus.request(suspendedAccountsRpc.cancelJobs, { account_id, job_ids });
    const left = job_ids.length - settled.length;
    if (left > 0) throw new Error(`${left} jobs of the suspended account ${account_id} were not canceled.`);
    return job_ids.length === SUSPENDED_JOBS_MAX ? (job_ids.at(-1) ?? null) : null;
  }
}
