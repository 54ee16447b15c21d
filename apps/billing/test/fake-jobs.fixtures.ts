import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { suspendedAccountsRpc } from '@kinora/contracts/jobs/suspended-accounts.rpc';

/** Replaces jobs: it settles what billing names, except the jobs that the test holds back. */
@Controller()
export class FakeJobs {
  readonly canceled: string[] = [];
  readonly heldBack = new Set<string>();

  @Handles(suspendedAccountsRpc.cancelJobs)
  async cancelJobs({ job_ids }: { account_id: string; job_ids: string[] }): Promise<{ settled: string[] }> {
    const settled = job_ids.filter((id) => !this.heldBack.has(id));
    this.canceled.push(...settled);
    return { settled };
  }
}
