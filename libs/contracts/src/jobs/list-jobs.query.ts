import { IsIntegerText, IsOneOf, IsText, Optional } from '../shared/field-rules';
import { JOB_STATUSES, type JobStatus } from './job';

/** The query of GET /jobs; its parameters stand in the order of the interface's table. */
export class ListJobsQuery {
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  @Optional()
  @IsText({ min: 1, max: 200 })
  cursor?: string;

  @Optional()
  @IsOneOf(JOB_STATUSES)
  status?: JobStatus;

  @Optional()
  @IsText({ min: 0, max: 64 })
  model?: string;
}
