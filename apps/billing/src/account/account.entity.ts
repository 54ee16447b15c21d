import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { AccountStatus } from '@kinora/contracts/billing/account';

/** An account: the customer that owns keys, money and jobs. Rows are never deleted, because the ledger refers to them. */
@Entity('account')
@Check('account_status_check', `status IN ('active', 'paused', 'suspended', 'closed')`)
@Check('account_rate_limit_rpm_check', 'rate_limit_rpm > 0')
@Check('account_retention_days_check', 'retention_days BETWEEN 1 AND 365')
@Index('account_inactive', ['status', 'id'], { where: `status <> 'active'` })
export class AccountEntity {
  /** UUID, version 7: the order of ids is the order of creation. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Only an active account is admitted; `closed` is final. */
  @Column('text', { default: 'active' })
  status!: AccountStatus;

  /** Reason of the last status change, by an operator or by moderation; null if the status never changed. */
  @Column('text', { nullable: true })
  status_reason!: string | null;

  /** Requests a minute, for each key. */
  @Column('bigint')
  rate_limit_rpm!: number;

  /** How long outputs of the account's jobs are kept. A job copies it when it is created. */
  @Column('integer')
  retention_days!: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** A price group of the catalog; null for the price list. */
  @Column('text', { nullable: true })
  price_group!: string | null;
}

/**
 * The last strike count that moderation published for an account. Events can arrive out of order, so the latest count is
 * kept and earlier ones are ignored. The account id comes from moderation, so there is no foreign key.
 */
@Entity('strike_standing')
export class StrikeStandingEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('integer')
  strikes!: number;

  /** Unix time of the count in microseconds, by the clock of moderation's database. */
  @Column('bigint')
  counted_at_us!: number;
}

/** A secret that signs an account's webhooks. One is current; retired ones also sign until they expire. */
@Entity('webhook_secret')
@Index('webhook_secret_of_account', ['account_id', 'id'])
@Index('webhook_secret_current', ['account_id'], { unique: true, where: 'valid_until IS NULL' })
@Index('webhook_secret_retired', ['valid_until'], { where: 'valid_until IS NOT NULL' })
export class WebhookSecretEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => AccountEntity)
  @Column('uuid')
  account_id!: string;

  /** Stored in clear text (`whsec_…`), because signing needs it. */
  @Column('text')
  secret!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Null for the current secret. */
  @Column('timestamptz', { nullable: true })
  valid_until!: Date | null;
}

/** Who the customer is on statements and receipts. */
@Entity('billing_details')
export class BillingDetailsEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  address!: string;

  @Column('text', { nullable: true })
  tax_id!: string | null;
}
