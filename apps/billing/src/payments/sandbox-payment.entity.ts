import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** What the sandbox payment provider knows: it stands in for a provider that would keep this elsewhere, so it has no foreign key. */
@Entity('sandbox_payment')
@Unique('sandbox_payment_payment_id_key', ['payment_id'])
@Check('sandbox_payment_state_check', `state IN ('unpaid', 'paid', 'declined')`)
export class SandboxPaymentEntity {
  /** The provider's id of the charge. */
  @PrimaryColumn('text')
  reference!: string;

  /** Ours: the idempotency key under which the charge was opened. */
  @Column('uuid')
  payment_id!: string;

  @Column('text')
  method!: string;

  @Column('bigint')
  amount_micros!: number;

  @Column('text', { default: 'unpaid' })
  state!: 'unpaid' | 'paid' | 'declined';

  /** How often the charge was sent. */
  @Column('integer', { default: 0 })
  requests!: number;
}
