import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An entry of the audit trail: a change of an account. A trigger refuses updates and deletes. */
@Entity('operator_action')
@Index('operator_action_of_account', ['account_id', 'id'])
export class OperatorActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  // Referred to by name: the account folder imports the audit trail, and folders may import each other in one direction
  // only.
  @ForeignKey('AccountEntity')
  @Column('uuid')
  account_id!: string;

  /** Such as `set_status`. */
  @Column('text')
  action!: string;

  /** The operator or the context that made the change; null if the request names none. */
  @Column('text', { nullable: true })
  actor!: string | null;

  /** The key of the account that made the change; null if an operator or a context did. */
  @Column('uuid', { nullable: true })
  api_key_id!: string | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** The request without account, actor and reason. */
  @Column('json')
  details!: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}
