import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A message that a consumer has handled. The row is written in the transaction of the handler, so a repeated delivery has no
 * effect.
 */
@Entity('inbox')
@Index('inbox_by_age', ['received_at'])
export class InboxEntity {
  /** The names of the context and the handler. */
  @PrimaryColumn('text')
  consumer!: string;

  @PrimaryColumn('text')
  message_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  received_at!: Date;
}
