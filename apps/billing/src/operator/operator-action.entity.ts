import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** A line of the audit trail: what was changed of an account. A trigger refuses updates and deletes. */
@Entity('operator_action')
@Index('operator_action_of_account', ['account_id', 'id'])
export class OperatorActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('uuid')
  account_id!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;

  /** Such as `set_status`. */
  @Column('text')
  action!: string;

  /** The operator, or the context, in whose name it was done; null where the request names none. */
  @Column('text', { nullable: true })
  actor!: string | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** The request, without the account, the actor and the reason. */
  @Column('json')
  details!: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}
