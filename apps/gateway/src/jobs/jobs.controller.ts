import { Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { CurrentCaller } from '../http/caller.decorator';
import { Door } from '../http/route-policy';
import { JobIdPipe } from './job-id.pipe';
import { LIST_JOBS_PARAMS, toListJobsRequest } from './list-jobs-request';

@Controller('jobs')
export class JobsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Door({ query: LIST_JOBS_PARAMS })
  list(@CurrentCaller() caller: Admission, @Query() query: unknown): Promise<JobList> {
    return this.bus.request(jobsRpc.list, toListJobsRequest(query, caller));
  }

  @Get(':id')
  get(@CurrentCaller() { account_id }: Admission, @Param('id', JobIdPipe) jobId: string): Promise<Job> {
    return this.bus.request(jobsRpc.get, { account_id, job_id: jobId });
  }

  @Post(':id/cancel')
  @HttpCode(HttpStatus.OK)
  cancel(@CurrentCaller() { account_id }: Admission, @Param('id', JobIdPipe) jobId: string): Promise<Job> {
    return this.bus.request(jobsRpc.cancel, { account_id, job_id: jobId });
  }
}
