import { HttpStatus } from '@nestjs/common';
import type { Job, JobStatus } from '@kinora/contracts/jobs/job';
import type { CreateJobReply } from '@kinora/contracts/jobs/jobs.rpc';
import type { FastifyReply } from 'fastify';

const IN_FLIGHT: ReadonlySet<JobStatus> = new Set(['queued', 'processing']);

/** 202 for a job that is accepted and in flight; 200 for one that is finished, and for every replay. */
export function answerCreated(reply: FastifyReply, { job, replayed }: CreateJobReply): Job {
  reply.request.createdJobId = job.id;
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  reply.status(!replayed && IN_FLIGHT.has(job.status) ? HttpStatus.ACCEPTED : HttpStatus.OK);
  return job;
}
