import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../account/account.entity';

/** An e-mail that waits, was sent, or was given up. The transaction of its cause inserts it. */
@Entity('email')
@Index('email_due', ['next_attempt_at'], { where: 'ended_at IS NULL' })
@Index('email_ended', ['ended_at'], { where: 'ended_at IS NOT NULL' })
@Index('email_to_recipient', ['recipient'])
@Check('email_waits_with_its_texts', 'ended_at IS NOT NULL OR sealed IS NOT NULL')
@Check('email_sent_has_ended', 'sent_at IS NULL OR ended_at IS NOT NULL')
export class EmailEntity {
  /** UUID, version 7; also the Message-ID, so that a repeated e-mail is recognised. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Its cause, such as `sign_up`. */
  @Column('text')
  kind!: string;

  @Column('text')
  recipient!: string;

  @ForeignKey(() => AccountEntity)
  @Column('uuid', { nullable: true })
  account_id!: string | null;

  @Column('text')
  subject!: string;

  /** Text and HTML, encrypted; null once it has ended. A folder of `.eml` files keeps it. */
  @Column('bytea', { nullable: true })
  sealed!: Buffer | null;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** The end of the lease of an attempt under way, or of the pause after a failed one. */
  @Column('timestamptz', { default: () => 'now()' })
  next_attempt_at!: Date;

  /** Of the last attempt. */
  @Column('text', { nullable: true })
  failure!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  sent_at!: Date | null;

  /** When it was sent or given up. */
  @Column('timestamptz', { nullable: true })
  ended_at!: Date | null;
}
