import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { billingAdminRpc, type ToppedUpAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Job, JobOutput, JobStatus } from '@kinora/contracts/jobs/job';
import type { JobHistory } from '@kinora/contracts/jobs/job-history';
import { jobsAdminRpc, type JobSummaryPage } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { makeThumbnail } from '@kinora/images';
import { reasonField } from '../../http/body-fields';
import { FileClient } from '../../http/file-client';
import { AuditTrail } from '../audit/audit-trail';
import { CurrentOperator, type Operator, OperatorBus } from '../users/operator';
import { PERMISSIONS_OF_ROLE, Requires } from '../users/permissions';
import { limitOf, type ListQuery, textsOf } from './query-fields';

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

/** Jobs of all accounts. */
@Controller('admin/v1/operator/jobs')
export class OperatorJobsController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @Requires('view')
  list(@Query() query: ListQuery): Promise<JobSummaryPage> {
    const { status, ...filter } = textsOf(
      query,
      ...(['search', 'account_id', 'status', 'model', 'provider', 'error_code', 'since', 'until', 'cursor'] as const),
    );
    const ofStatus = status === undefined ? {} : { status: status as JobStatus };
    return this.bus.request(jobsAdminRpc.listAll, { ...filter, ...ofStatus, ...limitOf(query) });
  }

  @Get(':id')
  @Requires('view')
  async show(@CurrentOperator() by: Operator, @Param('id', ParseUUIDPipe) job_id: string): Promise<JobHistory> {
    const canSeeContent = PERMISSIONS_OF_ROLE[by.role].has('view_media');
    const history = await this.bus.request(jobsRpc.show, { job_id });
    if (!canSeeContent) return redactHistory(history, false);
    const entry = { action: 'view_job', target: job_id, account_id: history.account_id };
    return this.audit.run(by, entry, () => Promise.resolve(redactHistory(history, true)));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Requires('cancel_jobs')
  async cancel(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) job_id: string,
    @Body() body: unknown,
  ): Promise<{ job_id: string; status: Job['status'] }> {
    const reason = reasonField(body);
    const { account_id, job } = await this.bus.request(jobsRpc.show, { job_id });
    const entry = { action: 'cancel_job', target: job_id, account_id, reason, before: { status: job.status } };
    return this.audit.run(
      by,
      entry,
      async () => ({ job_id, status: (await this.bus.request(jobsRpc.cancel, { account_id, job_id })).status }),
      ({ status }) => ({ status }),
    );
  }

  /**
   * Gives back what a job has cost, as credit: what was captured stays in the books. The job's id is the reference, so a job is
   * refunded once.
   */
  @Post(':id/refund')
  @HttpCode(200)
  @Requires('refund_jobs', { isConfirmed: true })
  async refund(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) job_id: string,
    @Body() body: unknown,
  ): Promise<ToppedUpAccount> {
    const reason = reasonField(body);
    const { account_id, charged_micros: amount_micros } = await this.findCharged(job_id);
    const reference = `refund of job ${job_id}`;
    const entry = { action: 'refund_job', target: job_id, account_id, reason, after: { amount_micros } };
    return this.audit.run(
      by,
      entry,
      () =>
        this.bus.request(billingAdminRpc.grantCredit, {
          account_id,
          amount_micros,
          reason,
          reference,
          refunded_job_id: job_id,
          actor: by.email,
        }),
      ({ entry_id, entry_repeated, balance_micros }) => ({ amount_micros, entry_id, entry_repeated, balance_micros }),
    );
  }

  /**
   * The price of a job in flight is reserved only, and returns by itself if the job does not succeed.
   * @throws ApiError not_found, or invalid_body for a job that has not succeeded or has cost nothing
   */
  private async findCharged(job_id: string): Promise<JobSummaryPage['data'][number]> {
    const { data } = await this.bus.request(jobsAdminRpc.listAll, { search: job_id, limit: 1 });
    const job = data.find((found) => found.job_id === job_id);
    if (!job) throw new ApiError('not_found', 'There is no such job.');
    if (job.status === 'succeeded' && job.charged_micros > 0) return job;
    const problem = job.status === 'succeeded' ? 'Its price was 0.' : 'Only a job that has succeeded can be refunded.';
    throw new ApiError('invalid_body', `Job ${job_id} is ${job.status}. ${problem}`, { param: 'id' });
  }
}

/** So few pixels that a page shows colours and shapes, and no face. */
const BLURRED_WIDTH_PX = 24;
const IMAGE_MAX_BYTES = 32 * 1024 * 1024;
const READ_WITHIN_MS = 20_000;

/** Outputs of jobs, blurred. Each view stands in the audit trail. */
@Controller('admin/v1/operator/jobs/:id/media')
export class JobMediaController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
    private readonly files: FileClient,
  ) {}

  @Get(':number')
  @Requires('view_media')
  async show(
    @CurrentOperator() by: Operator,
    @Param('id', ParseUUIDPipe) job_id: string,
    @Param('number', ParseIntPipe) number: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { account_id, job } = await this.bus.request(jobsRpc.show, { job_id });
    const link = imageLinkOf(job.output, number);
    const entry = { action: 'view_media', target: job_id, account_id, after: { number } };
    const blurred = await this.audit.run(by, entry, async () =>
      makeThumbnail(await this.read(link), BLURRED_WIDTH_PX).catch(() => {
        throw new ApiError('not_found', 'The output cannot be shown.');
      }),
    );
    void reply.header('Cache-Control', 'no-store');
    return new StreamableFile(blurred, { type: 'image/webp' });
  }

  private async read(link: string): Promise<Buffer> {
    const answer = await this.files.open(link, {}, AbortSignal.timeout(READ_WITHIN_MS));
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > IMAGE_MAX_BYTES) answer.destroy(new Error('the file is too large'));
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}

/** @throws ApiError not_found for a video, or an output that does not exist any more */
function imageLinkOf(output: JobOutput | null, number: number): string {
  const images = output !== null && 'images' in output ? output.images : [];
  const url = images[number]?.url ?? null;
  if (url === null) throw new ApiError('not_found', `The job has no image ${number}.`);
  return url;
}
