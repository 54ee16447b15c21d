import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request of an account that has ended. The table is partitioned by day (migration LogRequests). */
@Entity('request_log')
@Index('request_log_of_account', ['account_id', 'at', 'id'])
@Index('request_log_by_time', ['at', 'id'])
export class RequestLogEntity {
  @PrimaryColumn('text')
  id!: string;

  @PrimaryColumn('timestamptz')
  at!: Date;

  @Column('uuid')
  account_id!: string;

  @Column('uuid')
  api_key_id!: string;

  @Column('text')
  method!: string;

  /** The template of its route; null for an unknown endpoint. */
  @Column('text', { nullable: true })
  route!: string | null;

  /** Null where the client disconnected before the response. */
  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('text', { nullable: true })
  code!: string | null;

  /** That of the error response. */
  @Column('text', { nullable: true })
  message!: string | null;

  /** The field or parameter that the error names. */
  @Column('text', { nullable: true })
  param!: string | null;

  /** The size of the body as the client stated it; null without a body, or where it was not stated. The body itself is never kept. */
  @Column('bigint', { nullable: true })
  bytes!: number | null;

  @Column('real')
  duration_ms!: number;

  @Column('uuid', { nullable: true })
  job_id!: string | null;

  /** Whether a page of the console has sent it. */
  @Column('boolean', { default: false })
  from_console!: boolean;
}
