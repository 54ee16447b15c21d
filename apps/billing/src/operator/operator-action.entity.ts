import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A line of the audit trail: what was changed of an account. A trigger refuses updates and deletes. */
@Entity('operator_action')
@Index('operator_action_of_account', ['account_id', 'id'])
export class OperatorActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  // By its name: accounts import the audit trail, and folders import each other in one direction only.
  @ForeignKey('AccountEntity')
  @Column('uuid')
  account_id!: string;

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
