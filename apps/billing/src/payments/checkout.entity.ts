import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Checkout } from '@kinora/contracts/billing/checkout.rpc';
import { AccountEntity } from '../account/account.entity';
import { ProviderMoveEntity } from './payment.entity';

/** A payment by a page of the provider, stored before the provider is asked for the page. */
@Entity('checkout')
@Check('checkout_amount_micros_check', 'amount_micros > 0 AND amount_micros % 10000 = 0')
@Check('checkout_state_check', `state IN ('open', 'paid', 'expired', 'refused')`)
@Check('checkout_has_ended', `(state = 'open') = (ended_at IS NULL)`)
@Check('checkout_has_charge', `(state = 'paid') = (charge IS NOT NULL)`)
@Index('checkout_of_account', ['account_id', 'created_at'])
@Index('checkout_of_address', ['address', 'created_at'])
@Index('checkout_of_reference', ['reference'], { unique: true, where: 'reference IS NOT NULL' })
@Index('checkout_of_charge', ['charge'], { unique: true, where: 'charge IS NOT NULL' })
@Index('checkout_open', ['next_check_at'], { where: 'ended_at IS NULL' })
export class CheckoutEntity extends ProviderMoveEntity {
  @ForeignKey(() => AccountEntity)
  @Column('uuid')
  account_id!: string;

  @Column('boolean')
  saves_card!: boolean;

  /** The network of the customer's address. */
  @Column('text')
  address!: string;

  @Column('text', { default: 'open' })
  state!: Checkout['state'];

  /** The provider's id of the page; null until it has answered. Without it, the page was never shown. */
  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text', { nullable: true })
  url!: string | null;

  /** The provider's id of the charge. */
  @Column('text', { nullable: true })
  charge!: string | null;

  @Column('text', { nullable: true })
  invoice_url!: string | null;

  /** How often it was claimed for a look-up. */
  @Column('integer', { default: 0 })
  checks!: number;

  /** When the customer's page last had it looked up. */
  @Column('timestamptz', { nullable: true })
  looked_up_at!: Date | null;

  /** The time of the next look-up. */
  @Column('timestamptz')
  next_check_at!: Date;
}

/** The provider's customer of an account, who owns its saved cards. */
@Entity('payment_customer')
@Index('payment_customer_card_check', ['provider', 'next_card_check_at'])
export class PaymentCustomerEntity {
  @ForeignKey(() => AccountEntity)
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('text')
  provider!: string;

  /** The provider's id. */
  @Column('text')
  customer!: string;

  @Column('timestamptz', { default: () => 'now()' })
  next_card_check_at!: Date;

  /** The expiring cards of which the members have been warned. */
  @Column('text', { array: true, default: '{}' })
  warned_cards!: string[];
}
