import type { AccountStatus } from '@kinora/contracts/billing/account';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

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
}
