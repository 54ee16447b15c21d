import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/** A secret that signs an account's webhooks. One is current; retired ones also sign until they expire. */
@Entity('webhook_secret')
@Index('webhook_secret_of_account', ['account_id', 'id'])
@Index('webhook_secret_current', ['account_id'], { unique: true, where: 'valid_until IS NULL' })
@Index('webhook_secret_retired', ['valid_until'], { where: 'valid_until IS NOT NULL' })
export class WebhookSecretEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('uuid')
  account_id!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;

  /** Stored in clear text (`whsec_…`), because signing needs it. */
  @Column('text')
  secret!: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Null for the current secret. */
  @Column('timestamptz', { nullable: true })
  valid_until!: Date | null;
}
