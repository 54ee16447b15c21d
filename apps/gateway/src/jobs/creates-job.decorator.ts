import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { Operation, type OperationFacts } from '../reference/operation.decorator';

type CreationFacts = Pick<OperationFacts, 'operationId' | 'summary' | 'description' | 'body' | 'errors'>;

/** Describes an operation that creates a job, and adds the responses that all of them share. */
export function CreatesJob({ errors, ...facts }: CreationFacts): MethodDecorator {
  return Operation({
    ...facts,
    tag: 'Jobs',
    idempotent: true,
    waits: true,
    answers: {
      200: 'The job has already finished, or finished while the request waited, or the Idempotency-Key was used before and this is its job.',
      202: 'The job is accepted and in flight.',
    },
    errors: ['model_not_allowed', ...jobsRpc.findReplay.errors, ...jobsRpc.create.errors, ...errors],
  });
}
