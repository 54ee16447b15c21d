import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The database of the sandbox payment provider. It simulates an external provider, so it has no foreign key. */
@Entity('sandbox_payment')
@Unique('sandbox_payment_payment_id_key', ['payment_id'])
@Check('sandbox_payment_state_check', `state IN ('unpaid', 'paid', 'declined')`)
export class SandboxPaymentEntity {
  /** The provider's id of the charge. */
  @PrimaryColumn('text')
  reference!: string;

  /** Our payment id, used as the idempotency key when the charge was opened. */
  @Column('uuid')
  payment_id!: string;

  @Column('text')
  method!: string;

  @Column('bigint')
  amount_micros!: number;

  @Column('text', { default: 'unpaid' })
  state!: 'unpaid' | 'paid' | 'declined';

  /** How many charge requests arrived. */
  @Column('integer', { default: 0 })
  requests!: number;
}
