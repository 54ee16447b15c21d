import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An Idempotency-Key of an account, and the job that its first request creates. Claimed before the job exists; purged by age. */
@Entity('idempotency_key')
@Index('idempotency_key_by_age', ['claimed_at'])
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** The header, as the client sent it. */
  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  route!: string;

  /** Hash of the body in canonical form. A request with the same key and another body or route is refused. */
  @Column('text')
  body_sha256!: string;

  /** The id that the job has, or will have. */
  @Column('uuid')
  job_id!: string;

  /** The lease of the request in progress. Set in the future for requests with images, which take longer. */
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  claimed_at!: Date;

  /** When the job was stored; null while its request is in progress. */
  @Column('timestamptz', { nullable: true })
  accepted_at!: Date | null;
}
