import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { Operation, type OperationFacts } from '../reference/operation.decorator';

type CreationFacts = Pick<OperationFacts, 'operationId' | 'summary' | 'description' | 'body' | 'errors'>;

/** Describes an operation that creates a job, by what it has beyond what all of them share. */
export function CreatesJob({ errors, ...facts }: CreationFacts): MethodDecorator {
  return Operation({
    ...facts,
    tag: 'Jobs',
    idempotent: true,
    answers: {
      200: 'The job has finished already, or the Idempotency-Key is known and this is the job that it made.',
      202: 'The job is accepted and in flight.',
    },
    errors: ['model_not_allowed', ...jobsRpc.findReplay.errors, ...jobsRpc.create.errors, ...errors],
  });
}
