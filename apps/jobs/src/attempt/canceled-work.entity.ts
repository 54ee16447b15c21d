import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The GPU time that the canceled and failed attempts of an account have used. The account does not pay for it, but the operator
 * does.
 */
@Entity('canceled_work')
export class CanceledWorkEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @Column('bigint')
  attempts!: number;

  /** Attempts whose task was done before the cancel reached the backend. */
  @Column('bigint')
  too_late!: number;

  @Column('bigint')
  gpu_ms!: number;
}
