import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { WalletEntity } from './wallet.entity';

/** The moves of jobs, those of operators, and those of payments that go back. */
export const LEDGER_KINDS = [
  ...(['top_up', 'credit', 'adjustment', 'reserve', 'capture', 'refund'] as const),
  ...(['payment_refund', 'dispute', 'debt_payment'] as const),
] as const;
type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * A move of money between two books of an account, by double entry: the source of truth for every balance. A trigger refuses
 * updates and deletes; an error is corrected by another entry. A partition has unique indexes of its own, by job, payment and
 * reference: across partitions, `hold` and `ledger_reference` have one row each.
 */
@Entity('ledger_entry')
@Check(
  'ledger_entry_is_known_move',
  `kind || ' ' || debit || ' ' || credit IN ('top_up top_ups available', 'credit credits available',
     'adjustment credits available', 'adjustment available credits', 'reserve available held', 'capture held revenue',
     'refund held available', 'payment_refund available top_ups', 'payment_refund top_ups available',
     'dispute available top_ups', 'dispute debts top_ups', 'dispute top_ups available', 'dispute top_ups debts',
     'debt_payment available debts', 'payment_refund debts top_ups', 'payment_refund top_ups debts')`,
)
@Check('ledger_entry_has_job', `(kind IN ('reserve', 'capture', 'refund')) = (job_id IS NOT NULL)`)
@Check('ledger_entry_moves_forward', 'amount_micros > 0 OR (amount_micros = 0 AND job_id IS NOT NULL)')
@Check('ledger_entry_pays_in', `payment_id IS NULL OR kind = 'top_up'`)
@Index('ledger_entry_of_account', ['account_id', 'id'])
// BRIN (created_at): the entries of one hour.
@Index('ledger_entry_by_time', { synchronize: false })
export class LedgerEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('uuid')
  account_id!: string;

  @Column('text')
  kind!: LedgerKind;

  /** The book that the amount leaves. */
  @Column('text')
  debit!: 'top_ups' | 'credits' | 'available' | 'held' | 'debts';

  /** The book that the amount enters. */
  @Column('text')
  credit!: 'available' | 'held' | 'revenue' | 'credits' | 'top_ups' | 'debts';

  @Column('bigint')
  amount_micros!: number;

  /** The job of a reservation, capture or refund. */
  @Column('uuid', { nullable: true })
  job_id!: string | null;

  /** The operator's reason. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  /** The auto-recharge payment behind a top-up. */
  @Column('uuid', { nullable: true })
  payment_id!: string | null;

  /** The operator's idempotency key, unique per account: a repeated command does not move money twice. */
  @Column('text', { nullable: true })
  reference!: string | null;
}

/** The entry of a reference, or of a payment: each moves the balance once. A trigger writes it with the entry. */
@Entity('ledger_reference')
export class LedgerReferenceEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  /** Of the entry, or `payment ` and the id of its payment. */
  @PrimaryColumn('text')
  reference!: string;

  @Column('bigint')
  entry_id!: number;

  /** Of an archived entry. */
  @Column('text', { nullable: true })
  kind!: LedgerKind | null;

  /** Of an archived entry: negative if it left the account. */
  @Column('bigint', { nullable: true })
  amount_micros!: number | null;
}

/** The sums of an account's ledger up to one entry, so that a verification reads only later entries. */
@Entity('ledger_checkpoint')
export class LedgerCheckpointEntity {
  @ForeignKey(() => WalletEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  /** The last entry that is in the sums. */
  @Column('bigint')
  entry_id!: number;

  /** How many entries are in the sums. */
  @Column('bigint')
  entries!: number;

  @Column('bigint')
  available_micros!: number;

  @Column('bigint')
  held_micros!: number;

  @Column('bigint')
  revenue_micros!: number;

  @Column('bigint')
  top_ups_micros!: number;

  @Column('bigint')
  credits_micros!: number;

  @Column('bigint', { default: 0 })
  debts_micros!: number;

  /** Hash chain over all entries up to this one. A full verification detects a changed old entry by it. */
  @Column('text')
  chain!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  checked_at!: Date;
}

/** The sum of the entries of one kind in an ended hour. An hour without entries has rows too, which mark it as summed up. */
@Entity('ledger_hour')
export class LedgerHourEntity {
  @PrimaryColumn('timestamptz')
  hour!: Date;

  @PrimaryColumn('text')
  kind!: string;

  @Column('bigint')
  entries!: number;

  /** Adjustments that take money away are negative. */
  @Column('bigint')
  amount_micros!: number;
}
