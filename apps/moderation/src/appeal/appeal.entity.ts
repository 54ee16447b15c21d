import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { AppealStatus } from '@kinora/contracts/moderation/appeals.rpc';

/** The request of a customer that an operator looks at a block once more. An operator decides by the record of the decision. */
@Entity('appeal')
@Unique('appeal_once_a_job', ['job_id'])
@Check('appeal_status_check', `status IN ('open', 'upheld', 'lifted')`)
@Check(
  'appeal_decided_for_a_reason',
  `(status = 'open') = (decided_at IS NULL) AND (status = 'open') = (reason IS NULL)`,
)
@Index('appeal_by_status', ['status', 'id'])
export class AppealEntity {
  /** UUID, version 7: ids are in the order of the appeals. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('uuid')
  job_id!: string;

  /** The decision that blocked the output; an appeal outlives it. */
  @Column('uuid')
  decision_id!: string;

  /** What the customer says, which has passed the gate. */
  @Column('text')
  text!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  @Column('text', { default: () => `'open'` })
  status!: AppealStatus;

  @Column('timestamptz', { nullable: true })
  decided_at!: Date | null;

  /** The operator; null where the request names none. */
  @Column('text', { nullable: true })
  decided_by!: string | null;

  @Column('text', { nullable: true })
  reason!: string | null;
}
