import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { KeyScope } from '@kinora/contracts/billing/key-scope';
import { AccountEntity } from '../account/account.entity';

/** An API key of an account. The key itself is not stored and cannot be read back. */
@Entity('api_key')
@Unique('api_key_hash_key', ['hash'])
@Index('api_key_of_account', ['account_id', 'id'])
@Index('api_key_unrevoked', ['account_id', 'id'], { where: 'revoked_at IS NULL' })
@Index('api_key_by_former_hash', ['former_hash'], { unique: true, where: 'former_hash IS NOT NULL' })
@Index('api_key_created_by', ['created_by'], { where: 'created_by IS NOT NULL' })
@Check('api_key_former_hash_ends', '(former_hash IS NULL) = (former_valid_until IS NULL)')
@Check('api_key_allows_some_model', 'cardinality(allowed_models) > 0')
@Check('api_key_scope_check', `scope IN ('read', 'jobs', 'account')`)
export class ApiKeyEntity {
  /** UUID, version 7: the order of ids is the order of creation. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;

  @Column('text')
  name!: string;

  /** The first characters of the key, by which its owner recognises it. */
  @Column('text')
  prefix!: string;

  /** HMAC-SHA256 of the key's SHA-256 under a pepper that is not in the database. */
  @Column('bytea')
  hash!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Null where the key does not expire. */
  @Column('timestamptz', { nullable: true })
  expires_at!: Date | null;

  @Column('timestamptz', { nullable: true })
  revoked_at!: Date | null;

  /** Precise to a minute; `LastUseRecorder` writes it periodically. */
  @Column('timestamptz', { nullable: true })
  last_used_at!: Date | null;

  /** The models that the key may use; null for every model. */
  @Column('text', { array: true, nullable: true })
  allowed_models!: string[] | null;

  @Column('text', { default: 'jobs' })
  scope!: KeyScope;

  /** The key that created this one; null if an operator did. */
  @Column('uuid', { nullable: true })
  created_by!: string | null;

  @ManyToOne(() => ApiKeyEntity)
  @JoinColumn({ name: 'created_by' })
  creator?: ApiKeyEntity;

  /** Whether a portal link has made it, for one session of the console. */
  @Column('boolean', { default: false })
  is_portal!: boolean;

  /** The hash of the secret before the last rotation. It admits until `former_valid_until`. */
  @Column('bytea', { nullable: true })
  former_hash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  former_valid_until!: Date | null;
}
