import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What canceled and failed attempts of an account have cost in GPU time: a cancel is free for the account, and not for the operator. */
@Entity('canceled_work')
export class CanceledWorkEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('bigint')
  attempts!: number;

  /** Attempts whose task was done before the backend was asked to cancel it. */
  @Column('bigint')
  too_late!: number;

  @Column('bigint')
  gpu_ms!: number;
}
