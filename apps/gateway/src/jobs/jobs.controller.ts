import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type Appeal, AppealBody, appealsRpc } from '@kinora/contracts/moderation/appeals.rpc';
import { maxBodyBytes } from '@kinora/contracts/shared/json-size';
import { ListJobsQuery } from '@kinora/contracts/jobs/lists.query';
import { Bus } from '@kinora/bus';
import { AddressedJob, CurrentCaller } from '../http/parameters.decorator';
import { readBodyAs, readPageAs } from '../http/read-fields';
import type { ReceivedBody } from '../http/received-body';
import { RoutePolicy } from '../http/route-policy';
import { JobWaits } from '../job-watch/job-waits';
import { Operation } from '../reference/operation.decorator';

const LIST_JOBS_PARAMS = ['limit', 'cursor', 'status', 'model'] as const satisfies (keyof ListJobsQuery)[];

@Controller('jobs')
export class JobsController {
  constructor(
    private readonly bus: Bus,
    private readonly waits: JobWaits,
  ) {}

  @Get()
  @RoutePolicy({ query: LIST_JOBS_PARAMS })
  @Operation({
    operationId: 'listJobs',
    tag: 'Jobs',
    summary: 'List jobs',
    description:
      'The jobs of the account, newest first. Jobs that are created meanwhile neither repeat nor skip entries. A page is shorter than ' +
      '`limit` where it would exceed 256 KiB: `has_more` says whether there are more.',
    answers: { 200: 'A page of jobs.' },
    query: ListJobsQuery,
    errors: jobsRpc.list.errors,
  })
  list(@CurrentCaller() { account_id }: Admission, @Query() query: unknown): Promise<JobList> {
    return this.bus.request(jobsRpc.list, { account_id, ...readPageAs(ListJobsQuery, query) });
  }

  @Get(':id')
  @RoutePolicy({ ignoresUnknownQuery: true })
  @Operation({
    operationId: 'getJob',
    tag: 'Jobs',
    summary: 'Get a job',
    description:
      'The job as it is now. URLs of outputs are signed anew by each call. A job in flight that was not polled for 5 ' +
      'seconds is first updated from its provider. With `Prefer: wait=N` the answer comes when the job has ended.',
    answers: { 200: 'The job.' },
    waits: true,
    errors: jobsRpc.get.errors,
  })
  async get(@AddressedJob() ref: JobRef, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return this.waits.apply(reply, await this.bus.request(jobsRpc.get, ref));
  }

  @Post(':id/cancel')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ ignoresUnknownQuery: true })
  @Operation({
    operationId: 'cancelJob',
    tag: 'Jobs',
    summary: 'Cancel a job',
    description:
      'Ends a job in flight and refunds its reserved amount before the response. A finished job is returned ' +
      'unchanged. Needs no body.',
    answers: { 200: 'The job, canceled or finished otherwise.' },
    errors: jobsRpc.cancel.errors,
  })
  cancel(@AddressedJob() ref: JobRef): Promise<Job> {
    return this.bus.request(jobsRpc.cancel, ref);
  }

  @Post(':id/appeal')
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ takesJson: true, bodyMaxBytes: maxBodyBytes(AppealBody) })
  @Operation({
    operationId: 'appealJob',
    tag: 'Jobs',
    summary: 'Appeal against a block',
    description:
      'Asks an operator to look at the block of an output again, within 30 days. The text is moderated like a prompt; nothing can be ' +
      'attached, and the output is not kept. A job has one appeal: a repeat is answered with it, and so with what was decided. Where the ' +
      'block is lifted, its strike no longer counts.',
    answers: { 200: 'The appeal.' },
    body: AppealBody,
    errors: appealsRpc.appeal.errors,
  })
  appeal(@AddressedJob() ref: JobRef, @Body() { value }: ReceivedBody): Promise<Appeal> {
    return this.bus.request(appealsRpc.appeal, { ...ref, text: readBodyAs(AppealBody, value).text });
  }

  @Delete(':id/outputs')
  @Operation({
    operationId: 'deleteJobOutputs',
    tag: 'Jobs',
    summary: 'Delete the outputs of a job',
    description:
      'Deletes the files of an ended job before the response, and answers the job with `url: null` in each output. After a 503 ' +
      'repeat the request. A repeat is no error.',
    answers: { 200: 'The job, without links to its outputs.' },
    errors: jobsRpc.deleteOutputs.errors,
  })
  deleteOutputs(@AddressedJob() ref: JobRef): Promise<Job> {
    return this.bus.request(jobsRpc.deleteOutputs, ref);
  }

  @Delete(':id/content')
  @Operation({
    operationId: 'deleteJobContent',
    tag: 'Jobs',
    summary: 'Delete the content of a job',
    description:
      'Deletes the outputs and the input images of an ended job, and every text and address that its request contained: prompts, ' +
      '`metadata`, URLs of LoRAs and `webhook_url`. What remains are the id, the states, the amounts, hashes, and parameters such as ' +
      'the model, the size and the seed; a required `prompt` is empty. Webhooks that are still due, and the event feed, carry what ' +
      'remains. After a 503 repeat the request. A repeat is no error.',
    answers: { 200: 'What remains of the job.' },
    errors: jobsRpc.deleteContent.errors,
  })
  deleteContent(@AddressedJob() ref: JobRef): Promise<Job> {
    return this.bus.request(jobsRpc.deleteContent, ref);
  }
}
