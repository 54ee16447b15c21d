import { Controller, Get, HttpCode, HttpStatus, Post, Query, Res } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ListJobsQuery } from '@kinora/contracts/jobs/list-jobs.query';
import { type FastifyReply } from 'fastify';
import { JobWaits } from '../job-watch/job-waits';
import { CurrentCaller } from '../http/caller.decorator';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { AddressedJob } from '../http/addressed-job.decorator';
import { LIST_JOBS_PARAMS, toListJobsRequest } from './list-jobs-request';

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
  list(@CurrentCaller() caller: Admission, @Query() query: unknown): Promise<JobList> {
    return this.bus.request(jobsRpc.list, toListJobsRequest(query, caller));
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
}
