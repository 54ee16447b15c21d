import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A creating request without an Idempotency-Key. A repeat joins it within 15 minutes, and thereby its job. */
@Entity('unkeyed_request')
@Check('unkeyed_request_state_check', `state IN ('open', 'answered', 'abandoned')`)
// (account_id, request_hash, changed_at DESC): the newest equal request, and the newest one that was abandoned.
@Index('unkeyed_request_newest', { synchronize: false })
@Index('unkeyed_request_abandoned', { synchronize: false })
@Index('unkeyed_request_by_age', ['changed_at'])
export class UnkeyedRequestEntity {
  /** Part of the Idempotency-Key that the job is created under. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  /** Of the API key, the route and the body as it was received. */
  @Column('text')
  request_hash!: string;

  /** `abandoned`: its connection closed before the whole answer was handed to it. */
  @Column('text', { default: 'open' })
  state!: 'open' | 'answered' | 'abandoned';

  /** How often the request was sent: the fence against the end of a sending that another one has joined meanwhile. */
  @Column('int', { default: 1 })
  sending!: number;

  /** When the state last changed, or the last sending joined. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  changed_at!: Date;
}
