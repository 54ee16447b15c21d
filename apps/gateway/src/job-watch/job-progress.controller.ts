import { Controller, Get, Req, Res } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { AddressedJob } from '../http/parameters.decorator';
import { Operation } from '../reference/operation.decorator';
import { FollowJob } from './follow-job.use-case';

@Controller('jobs/:id')
export class JobProgressController {
  constructor(
    private readonly bus: Bus,
    private readonly followJob: FollowJob,
  ) {}

  @Get('progress')
  @Operation({
    operationId: 'getJobProgress',
    tag: 'Jobs',
    summary: 'Get the progress of a job',
    description:
      'How far the job is, how many jobs are served before it, and when it may end. `progress` is what the compute backend ' +
      'reports, and null where it reports nothing. `eta_seconds` is estimated from the run times of the last hour.',
    answers: { 200: 'The progress of the job.' },
    errors: jobsRpc.getProgress.errors,
  })
  get(@AddressedJob() ref: JobRef): Promise<JobProgress> {
    return this.bus.request(jobsRpc.getProgress, ref);
  }

  @Get('events')
  @Operation({
    operationId: 'followJob',
    tag: 'Jobs',
    summary: 'Follow a job',
    description:
      'Server-sent events. The first one comes at once and is `job.progress`, whose data is a JobProgress; another one follows each ' +
      'change of `status`, `progress` or `queue_position`, at most four a second. At the end comes one `job.succeeded`, `job.failed` ' +
      'or `job.canceled`, whose data is the Job, and the stream closes. A comment line every 15 seconds keeps the connection open. ' +
      'A client that reconnects with `Last-Event-ID` continues, also after the end; 204 says that it has received everything. ' +
      'Opening a stream takes one request of the rate limit. A key may have 100 open streams, and an account a quarter of ' +
      'those of a gateway.',
    answers: { 200: 'The events of the job.', 204: 'The client has received the end: `Last-Event-ID` is its id.' },
    streams: 'only',
    errors: [...jobsRpc.getProgress.errors, 'concurrency_limit'],
  })
  follow(@AddressedJob() ref: JobRef, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.followJob.execute(ref, request, reply);
  }
}
