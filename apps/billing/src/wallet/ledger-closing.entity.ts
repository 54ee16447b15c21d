import type { LedgerClosing } from '@kinora/contracts/billing/ledger-month';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { WalletEntity } from './wallet.entity';

/** A month of the ledger that closes, or has closed. Months follow each other without a gap. */
@Entity('ledger_month')
@Check('ledger_month_month_check', `month ~ '^\\d{4}-\\d{2}$'`)
@Check('ledger_month_is_exported', 'archived_at IS NULL OR archive_sha256 IS NOT NULL')
export class LedgerMonthEntity {
  /** In UTC, such as 2026-11. */
  @PrimaryColumn('text')
  month!: string;

  /** The month has the entries from the end of the month before up to this id, which is not its own. */
  @Column('bigint')
  end_id!: number;

  /** Up to here, in the order of their ids, accounts have their closing. */
  @Column('uuid')
  after_account_id!: string;

  /** Null while closings are made. */
  @Column('timestamptz', { nullable: true })
  closed_at!: Date | null;

  /** Of the file that `kinora ledger export` has written; null until then. */
  @Column('text', { nullable: true })
  archive_sha256!: string | null;

  /** Since then the entries are read from the file only, and their partition may be dropped. */
  @Column('timestamptz', { nullable: true })
  archived_at!: Date | null;
}

/** What the entries of an account in one month add up to. An account without entries in the month has none. */
@Entity('ledger_closing')
@Check('ledger_closing_entries_check', 'entries > 0')
@Index('ledger_closing_of_month', ['month', 'account_id'])
export class LedgerClosingEntity implements LedgerClosing {
  @ForeignKey(() => WalletEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  @ForeignKey(() => LedgerMonthEntity)
  @PrimaryColumn('text')
  month!: string;

  @Column('bigint')
  last_entry_id!: number;

  @Column('bigint')
  entries!: number;

  @Column('jsonb')
  books!: LedgerClosing['books'];

  @Column('jsonb')
  open_holds!: LedgerClosing['open_holds'];

  @Column('text')
  chain!: string;

  /** Of an archived month: the chain of the checkpoint up to the last entry, from which a verification continues. */
  @Column('text', { nullable: true })
  checkpoint_chain!: string | null;

  /** Of an archived month. */
  @Column('bigint', { nullable: true })
  charged_jobs!: number | null;
}
