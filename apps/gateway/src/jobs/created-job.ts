import { HttpStatus } from '@nestjs/common';
import { isInFlight } from '@kinora/contracts/jobs/in-flight';
import type { Job } from '@kinora/contracts/jobs/job';
import type { CreateJobReply } from '@kinora/contracts/jobs/jobs.rpc';
import type { FastifyReply } from 'fastify';

/** 202 for a job that is accepted and in flight; 200 for one that is finished, and for every replay. */
export function answerCreated(reply: FastifyReply, { job, replayed }: CreateJobReply): Job {
  reply.request.createdJobId = job.id;
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  reply.status(!replayed && isInFlight(job.status) ? HttpStatus.ACCEPTED : HttpStatus.OK);
  return job;
}
