import { setTimeout as delay } from 'node:timers/promises';
import { remainingMs } from '@kinora/bus/client';
import { accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import type { StackClient } from '../stack/stack-client';

const ACCOUNT_NAME = 'Kinora doctor';
const REASON = 'a job of kinora doctor';
const POLL_EVERY_MS = 100;
/** The time reserved at the end of the check to cancel a job that is too slow, so that it is refunded. */
const CANCEL_WITHIN_MS = 1_000;

/**
 * An account of the operator's own, created once: a check never spends a customer's money. Each run grants it the price
 * of one image, which the job then costs, so that its balance does not change.
 */
export class DoctorAccount {
  constructor(private readonly client: StackClient) {}

  /** @throws Error that names the status in which the job stopped; the job is canceled and refunded then. */
  async tryJob(
    input: Pick<ImageGenerationBody, 'prompt' | 'model' | 'size'>,
    price: Micros,
    onCreated: (jobId: string) => void,
  ): Promise<Job> {
    const account_id = await this.open(price);
    const { job } = await this.client.request(jobsRpc.create, { account_id, kind: 'image.generation', input });
    onCreated(job.id);
    const ended = await this.untilEnded(account_id, job);
    if (ended.status !== 'succeeded')
      throw new Error(`Job ${ended.id} ended as ${ended.status}: ${ended.error?.message ?? 'without an error'}`);
    return ended;
  }

  /** @returns the id of an account that can pay the price. */
  private async open(price: Micros): Promise<string> {
    const { data } = await this.client.request(accountListRpc.listAccounts, { search: ACCOUNT_NAME, limit: 100 });
    // Two doctors that first ran at the same time have created one account each; the older one stays in use.
    const known = data.findLast(({ name }) => name === ACCOUNT_NAME);
    const { account_id } =
      known ??
      (await this.client.requestAsOperator(billingAdminRpc.createAccount, { name: ACCOUNT_NAME, retention_days: 1 }));
    if ((known?.balance_micros ?? 0) < price)
      await this.client.requestAsOperator(billingAdminRpc.grantCredit, {
        account_id,
        amount_micros: price,
        reason: REASON,
      });
    return account_id;
  }

  private async untilEnded(account_id: string, created: Job): Promise<Job> {
    const ref = { account_id, job_id: created.id };
    let job = created;
    while (job.completed_at === null) {
      if ((remainingMs() ?? Infinity) < CANCEL_WITHIN_MS) {
        const { status } = job;
        job = await this.client.request(jobsRpc.cancel, ref);
        if (job.status !== 'canceled') return job;
        throw new Error(`Job ${job.id} was still ${status} when the time of the check was over; it is canceled.`);
      }
      await delay(POLL_EVERY_MS);
      job = await this.client.request(jobsRpc.get, ref);
    }
    return job;
  }
}
