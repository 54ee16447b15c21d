import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import type { KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
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

  @ForeignKey(() => AccountEntity)
  @Column('uuid')
  account_id!: string;

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
  @ForeignKey(() => ApiKeyEntity)
  @Column('uuid', { nullable: true })
  created_by!: string | null;

  /** Whether a portal link has made it, for one session of the console. */
  @Column('boolean', { default: false })
  is_portal!: boolean;

  /** The member whose sign-in has made it; null for any other key, as is the next. The user may be deleted. */
  @Column('uuid', { nullable: true })
  user_id!: string | null;

  /** The member's role. Another role revokes the key. */
  @Column('text', { nullable: true })
  member_role!: MemberRole | null;

  /** The hash of the secret before the last rotation. It admits until `former_valid_until`. */
  @Column('bytea', { nullable: true })
  former_hash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  former_valid_until!: Date | null;
}

/**
 * The spending cap of a key's jobs per day or month (UTC), and what is spent of it. A key without a row is bound by its
 * account's balance only.
 */
@Entity('key_budget')
@Check('key_budget_cap_micros_check', 'cap_micros >= 0')
@Check('key_budget_period_check', `period IN ('day', 'month')`)
@Check('key_budget_is_kept', 'spent_micros BETWEEN 0 AND cap_micros')
@Index('key_budget_given_by', ['given_by'], { where: 'given_by IS NOT NULL' })
export class KeyBudgetEntity {
  @ForeignKey(() => ApiKeyEntity)
  @PrimaryColumn('uuid')
  api_key_id!: string;

  @Column('bigint')
  cap_micros!: number;

  @Column('text')
  period!: CapPeriod;

  /** First day of the period that `spent_micros` counts. The first reservation in a later period resets it. */
  @Column('date')
  period_start!: string;

  /** Reserved and captured amounts of the period; a refund subtracts its amount. Includes `ended_gifts_micros`. */
  @Column('bigint', { default: 0 })
  spent_micros!: number;

  /** What is spent without a hold of this key: by keys whose gift has ended. */
  @Column('bigint', { default: 0 })
  ended_gifts_micros!: number;

  /** The period of `ended_gifts_micros`, which counts nothing in a later one. Null if no gift has ended. */
  @Column('date', { nullable: true })
  ended_gifts_period!: string | null;

  /** The key that has given this budget from its own; its revocation gives the rest back. Null if an operator made it. */
  @ForeignKey(() => KeyBudgetEntity)
  @Column('uuid', { nullable: true })
  given_by!: string | null;
}

/** The captured jobs of a key, summed by the UTC day on which they were reserved. A capture adds to it. */
@Entity('key_spend_day')
export class KeySpendDayEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('uuid')
  api_key_id!: string;

  @Column('bigint')
  jobs!: number;

  @Column('bigint')
  charged_micros!: number;
}

/** A link that signs a customer in to the console once. Its use deletes the row. */
@Entity('portal_link')
@Index('portal_link_of_account', ['account_id'])
@Index('portal_link_by_expiry', ['expires_at'])
@Check('portal_link_scope_check', `scope IN ('read', 'jobs', 'account')`)
@Check('portal_link_token_is_a_hash', 'octet_length(token_hash) = 32')
export class PortalLinkEntity {
  /** SHA-256 of the token, which is stored nowhere. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @ForeignKey(() => AccountEntity)
  @Column('uuid')
  account_id!: string;

  /** Of the key that the link makes. */
  @Column('text')
  scope!: KeyScope;

  /** The operator who made the link; null if the request named none. */
  @Column('text', { nullable: true })
  created_by!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz')
  expires_at!: Date;
}
