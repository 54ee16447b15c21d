import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { PolledMoveEntity, ProviderMoveEntity } from './payment.entity';

/** Money of a payment that an operator gives back. Its ledger entry is written with it, before the provider is asked. */
@Entity('payment_refund')
@Check('payment_refund_amount_micros_check', 'amount_micros > 0 AND amount_micros % 10000 = 0')
@Check('payment_refund_state_check', `state IN ('begun', 'succeeded', 'failed')`)
@Check('payment_refund_has_ended', `(state = 'begun') = (ended_at IS NULL)`)
@Check('payment_refund_says_why', `(state = 'failed') = (failure IS NOT NULL)`)
@Index('payment_refund_of_payment', ['payment_id'])
@Index('payment_refund_of_reference', ['reference'], { where: 'reference IS NOT NULL' })
@Index('payment_refund_open', ['next_check_at'], { where: 'ended_at IS NULL' })
export class PaymentRefundEntity extends PolledMoveEntity {
  // By name: the wallet folder imports this one, and folders import each other in one direction.
  @ForeignKey('WalletEntity')
  @Column('uuid')
  account_id!: string;

  /** A checkout or a payment of auto-recharge. */
  @Column('uuid')
  payment_id!: string;

  /** The provider's id of the charge. */
  @Column('text')
  charge!: string;

  @Column('text', { default: 'begun' })
  state!: 'begun' | 'succeeded' | 'failed';

  /** The provider's id of the refund. */
  @Column('text', { nullable: true })
  reference!: string | null;
}

/** A payment that the customer disputes at the bank. The amount leaves the balance when it is opened; what is missing is owed. */
@Entity('dispute')
@Check('dispute_amount_micros_check', 'amount_micros > 0')
@Check('dispute_state_check', `state IN ('open', 'won', 'lost')`)
@Check('dispute_has_ended', `(state = 'open') = (ended_at IS NULL)`)
@Index('dispute_of_reference', ['reference'], { unique: true })
@Index('dispute_of_payment', ['payment_id'])
@Index('dispute_open', ['created_at'], { where: 'ended_at IS NULL' })
export class DisputeEntity extends ProviderMoveEntity {
  @ForeignKey('WalletEntity')
  @Column('uuid')
  account_id!: string;

  /** A checkout or a payment of auto-recharge. */
  @Column('uuid')
  payment_id!: string;

  /** The provider's id of the dispute. */
  @Column('text')
  reference!: string;

  @Column('text', { default: 'open' })
  state!: 'open' | 'won' | 'lost';
}
