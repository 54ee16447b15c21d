import { Injectable } from '@nestjs/common';
import { Bus, deadlineIn, runInCall } from '@kinora/bus';
import type { JobRef } from '@kinora/contracts/jobs/jobs.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { newRequestId } from '../http/request-id';

/** Reads of jobs for held requests: one request for all that ask for the same job in one turn of the event loop. */
@Injectable()
export class SharedReads {
  private readonly pending = new Map<string, Promise<unknown>>();

  constructor(private readonly bus: Bus) {}

  /**
   * Starts after the call, so the answer is never older than the change that caused it. The deadline of the held request has
   * often passed, so the read has its own.
   */
  read<Answer>(contract: RpcContract<JobRef, Answer>, ref: JobRef): Promise<Answer> {
    const key = `${contract.subject} ${ref.account_id} ${ref.job_id}`;
    if (this.pending.size === 0) setImmediate(() => this.pending.clear());
    const call = { requestId: newRequestId(), accountId: ref.account_id, deadlineAtMs: deadlineIn(contract.timeoutMs) };
    const shared = this.pending.get(key) ?? runInCall(call, () => this.bus.request(contract, ref));
    this.pending.set(key, shared);
    return shared as Promise<Answer>;
  }
}
