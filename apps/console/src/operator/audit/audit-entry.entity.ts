import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What an operator did, or tried to do. Entries are never changed, apart from the outcome of one whose action has ended. */
@Entity('audit_entry')
@Index('audit_entry_of_account', ['account_id', 'id'], { where: 'account_id IS NOT NULL' })
@Index('audit_entry_of_user', ['user_id', 'id'], { where: 'user_id IS NOT NULL' })
export class AuditEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at!: Date;

  @Column('uuid', { nullable: true })
  user_id!: string | null;

  /** The email at that time, or the operator's name of the command line. */
  @Column('text')
  actor!: string;

  @Column('text')
  action!: string;

  /** The id of what it was done to. */
  @Column('text', { nullable: true })
  target!: string | null;

  @Column('uuid', { nullable: true })
  account_id!: string | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('jsonb', { nullable: true })
  before!: object | null;

  @Column('jsonb', { nullable: true })
  after!: object | null;

  /** `unknown` while the action runs, after a crash in between, and where the outcome could not be stored (the log has it). */
  @Column('text', { default: 'unknown' })
  outcome!: string;

  @Column('text')
  request_id!: string;
}
