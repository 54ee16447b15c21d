import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The token bucket of an API key. The table is unlogged: a crash of PostgreSQL empties it and thus refills every bucket,
 * but no request waits for a write-ahead log flush.
 */
@Entity('rate_bucket')
export class RateBucketEntity {
  @PrimaryColumn('uuid')
  api_key_id!: string;

  /** When the bucket will be full again; the free tokens follow from it. */
  @Column('timestamptz')
  full_at!: Date;

  /** How many tokens the last statement took. Stored because UPDATE … RETURNING returns only the new row. */
  @Column('bigint', { default: 0 })
  granted!: number;

  /** The tokens of open leases, as refill time. Counted as used in `full_at` until they are returned. */
  @Column('bigint', { default: 0 })
  leased_micros!: number;

  /** When the last lease ends; `leased_micros` has no meaning from then on. Null if there never was a lease. */
  @Column('timestamptz', { nullable: true })
  leased_until!: Date | null;
}
