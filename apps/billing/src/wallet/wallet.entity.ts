import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/**
 * An account's money and its jobs in flight: one row, whose lock decides what may be reserved. It is derived from the ledger,
 * in the statement that writes the entry.
 */
@Entity('wallet')
@Check('wallet_available_micros_check', 'available_micros >= 0')
@Check('wallet_held_micros_check', 'held_micros >= 0')
@Check('wallet_spent_micros_check', 'spent_micros >= 0')
@Check('wallet_in_flight_jobs_check', 'in_flight_jobs >= 0')
@Check('wallet_max_concurrent_jobs_check', 'max_concurrent_jobs > 0')
@Check('wallet_is_countable', 'available_micros + held_micros + spent_micros <= 9007199254740991')
export class WalletEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @OneToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;

  /** The amount that can be reserved, which is the balance in the API. */
  @Column('bigint', { default: 0 })
  available_micros!: number;

  /** Reserved for jobs in flight: the sum of the open holds. */
  @Column('bigint', { default: 0 })
  held_micros!: number;

  /** All captured amounts of the account. */
  @Column('bigint', { default: 0 })
  spent_micros!: number;

  /** The number of open holds. */
  @Column('bigint', { default: 0 })
  in_flight_jobs!: number;

  @Column('bigint')
  max_concurrent_jobs!: number;
}
