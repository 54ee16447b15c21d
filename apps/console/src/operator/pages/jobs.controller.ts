import { StreamableFile } from '@nestjs/common';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { JobOutput } from '@kinora/contracts/jobs/job';
import type { JobHistory } from '@kinora/contracts/jobs/job-history';
import { jobsAdminRpc, type JobSummaryPage, type ListAllJobsRequest } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { makeThumbnail } from '@kinora/images';
import { type FileClient, readAll } from '../../http/file-client';
import { PAGE } from '../../http/query-fields';
import type { OperatorBus } from '../users/operator';
import { PERMISSIONS_OF_ROLE } from '../users/permissions';
import { BY_REASON, REASON } from '../../http/fields';
import { controllerOf, get, post } from './operator-route';

const FILTERS = ['search', 'account_id', 'status', 'model', 'provider', 'error_code', 'since', 'until'] as const;

/** Jobs of all accounts. */
export const OperatorJobsController = controllerOf('OperatorJobsController', {
  list: get(
    'jobs',
    { summary: 'List jobs of all accounts', needs: 'view', query: [...FILTERS, ...PAGE] },
    ({ bus, query }) => bus.request(jobsAdminRpc.listAll, query as ListAllJobsRequest),
  ),
  show: get(
    'jobs/:id',
    { summary: 'Show a job with its attempts', needs: 'view' },
    async ({ audit, bus, by, params: { id: job_id } }) => {
      const canSeeContent = PERMISSIONS_OF_ROLE[by.role].has('view_media');
      const history = await bus.request(jobsRpc.show, { job_id });
      if (!canSeeContent) return redactHistory(history, false);
      const entry = { action: 'view_job', target: job_id, account_id: history.account_id };
      return audit.run(by, entry, () => Promise.resolve(redactHistory(history, true)));
    },
  ),
  cancel: post(
    'jobs/:id/cancel',
    { summary: 'Cancel a job', needs: 'cancel_jobs', body: { reason: REASON } },
    async ({ audit, bus, by, params: { id: job_id }, body: { reason } }) => {
      const { account_id, job } = await bus.request(jobsRpc.show, { job_id });
      const entry = { action: 'cancel_job', target: job_id, account_id, reason, before: { status: job.status } };
      return audit.run(
        by,
        entry,
        async () => ({ job_id, status: (await bus.request(jobsRpc.cancel, { account_id, job_id })).status }),
        ({ status }) => ({ status }),
      );
    },
  ),
  /**
   * Gives back what a job has cost, as credit: what was captured stays in the books. The job's id is the reference, so a job is
   * refunded once.
   */
  refund: post(
    'jobs/:id/refund',
    { ...BY_REASON, summary: 'Give back the price of a job, once', needs: 'refund_jobs' },
    async ({ audit, bus, by, params: { id: job_id }, body: { reason } }) => {
      const { account_id, charged_micros: amount_micros } = await findCharged(bus, job_id);
      const entry = { action: 'refund_job', target: job_id, account_id, reason, after: { amount_micros } };
      const reference = `refund of job ${job_id}`;
      const credit = { account_id, amount_micros, reason, reference, refunded_job_id: job_id, actor: by.email };
      return audit.run(
        by,
        entry,
        () => bus.request(billingAdminRpc.grantCredit, credit),
        ({ entry_id, entry_repeated, balance_micros }) => ({ amount_micros, entry_id, entry_repeated, balance_micros }),
      );
    },
  ),
});

/** What a customer wrote; the rest of an input is parameters. */
const CONTENT_FIELDS = ['prompt', 'negative_prompt', 'metadata', 'webhook_url'];

/**
 * A job for an operator's page. Links to outputs never reach a page, because a link works for anybody who has it. What the
 * customer wrote stays hidden unless the operator may see content.
 */
function redactHistory({ job, ...history }: JobHistory, canSeeContent: boolean): JobHistory {
  const shown = JSON.parse(JSON.stringify(job), (name, value: unknown) => {
    if (name === 'url' || name === 'low_url') return null;
    return !canSeeContent && CONTENT_FIELDS.includes(name) && value !== null ? '[hidden]' : value;
  }) as JobHistory['job'];
  return { ...history, job: shown };
}

/**
 * The price of a job in flight is reserved only, and returns by itself if the job does not succeed.
 * @throws ApiError not_found, or invalid_body for a job that has not succeeded or has cost nothing
 */
async function findCharged(bus: OperatorBus, job_id: string): Promise<JobSummaryPage['data'][number]> {
  const { data } = await bus.request(jobsAdminRpc.listAll, { search: job_id, limit: 1 });
  const job = data.find((found) => found.job_id === job_id);
  if (!job) throw new ApiError('not_found', 'There is no such job.');
  if (job.status === 'succeeded' && job.charged_micros > 0) return job;
  const problem = job.status === 'succeeded' ? 'Its price was 0.' : 'Only a job that has succeeded can be refunded.';
  throw new ApiError('invalid_body', `Job ${job_id} is ${job.status}. ${problem}`, { param: 'id' });
}

/** So few pixels that a page shows colours and shapes, and no face. */
const BLURRED_WIDTH_PX = 24;
const IMAGE_MAX_BYTES = 32 * 1024 * 1024;
const READ_WITHIN_MS = 20_000;

/** Outputs of jobs, blurred. Each view stands in the audit trail. */
export const JobMediaController = controllerOf('JobMediaController', {
  show: get(
    'jobs/:id/media/:number',
    { summary: 'Show a blurred output', needs: 'view_media', answer: 'image/webp' },
    async ({ audit, bus, by, files, params: { id: job_id, number: digits } }) => {
      const { account_id, job } = await bus.request(jobsRpc.show, { job_id });
      const number = Number(digits);
      const link = imageLinkOf(job.output, number);
      const entry = { action: 'view_media', target: job_id, account_id, after: { number } };
      const blurred = await audit.run(by, entry, async () =>
        makeThumbnail(await readImage(files, link), BLURRED_WIDTH_PX).catch(() => {
          throw new ApiError('not_found', 'The output cannot be shown.');
        }),
      );
      return new StreamableFile(blurred, { type: 'image/webp' });
    },
  ),
});

async function readImage(files: FileClient, link: string): Promise<Buffer> {
  return readAll(await files.open(link, {}, AbortSignal.timeout(READ_WITHIN_MS)), IMAGE_MAX_BYTES);
}

/** @throws ApiError not_found for a video, or an output that does not exist any more */
function imageLinkOf(output: JobOutput | null, number: number): string {
  const images = output !== null && 'images' in output ? output.images : [];
  const url = images[number]?.url ?? null;
  if (url === null) throw new ApiError('not_found', `The job has no image ${number}.`);
  return url;
}
