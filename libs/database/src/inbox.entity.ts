import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A message that a consumer has handled, written in the transaction that handled it: a repeated delivery has no effect. */
@Entity('inbox')
@Index('inbox_by_age', ['received_at'])
export class InboxEntity {
  /** The context and the handler. */
  @PrimaryColumn('text')
  consumer!: string;

  @PrimaryColumn('text')
  message_id!: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  received_at!: Date;
}
