import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A page of the sandbox provider. It simulates an external provider, so it has no foreign key. */
@Entity('sandbox_checkout')
@Unique('sandbox_checkout_payment_id_key', ['payment_id'])
@Index('sandbox_checkout_paid', ['paid_at'], { where: 'paid_at IS NOT NULL' })
export class SandboxCheckoutEntity {
  @PrimaryColumn('text')
  reference!: string;

  @Column('uuid')
  payment_id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('text')
  customer!: string;

  @Column('bigint')
  amount_micros!: number;

  @Column('boolean')
  saves_card!: boolean;

  @Column('text')
  return_url!: string;

  @Column('timestamptz')
  expires_at!: Date;

  /** The card that has paid; null until one has. */
  @Column('text', { nullable: true })
  paid_with!: string | null;

  @Column('timestamptz', { nullable: true })
  paid_at!: Date | null;
}

/** A card that the sandbox provider keeps for a customer. */
@Entity('sandbox_card')
@Unique('sandbox_card_customer_card_key', ['customer', 'card'])
export class SandboxCardEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  customer!: string;

  /** One of the rehearsal's cards. */
  @Column('text')
  card!: string;
}
