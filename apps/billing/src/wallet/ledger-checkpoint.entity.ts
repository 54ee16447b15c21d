import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { WalletEntity } from './wallet.entity';

/** The sums of an account's ledger up to one entry, so that a verification reads only later entries. */
@Entity('ledger_checkpoint')
export class LedgerCheckpointEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @OneToOne(() => WalletEntity)
  @JoinColumn({ name: 'account_id' })
  wallet?: WalletEntity;

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

  /** Hash chain over all entries up to this one. A full verification detects a changed old entry by it. */
  @Column('text')
  chain!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  checked_at!: Date;
}
