import { IsCursor, IsIntegerText, IsOneOf, IsText, Optional } from '../shared/field-rules';
import { JOB_STATUSES, type JobStatus } from './job';

/** The query of (API: GET /jobs). */
export class ListJobsQuery {
  /**
   * The maximum number of jobs of the page.
   * @default 20
   */
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  /** The `next_cursor` of the previous page. */
  @Optional()
  @IsCursor()
  cursor?: string;

  /** Only jobs in this state. */
  @Optional()
  @IsOneOf(JOB_STATUSES)
  status?: JobStatus;

  /** Only jobs of this model. */
  @Optional()
  @IsText({ min: 0, max: 64 })
  model?: string;
}
