import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The token bucket of an API key. The table is unlogged: a crash of PostgreSQL empties it, after which every bucket is full,
 * and no request pays for a write-ahead log flush.
 */
@Entity('rate_bucket')
export class RateBucketEntity {
  @PrimaryColumn('uuid')
  api_key_id!: string;

  /** When the bucket will be full again; the tokens that are left follow from it. */
  @Column('timestamptz')
  full_at!: Date;

  /** How many tokens the last statement was granted: an UPDATE returns only what a row has become. */
  @Column('bigint', { default: 0 })
  granted!: number;
}
