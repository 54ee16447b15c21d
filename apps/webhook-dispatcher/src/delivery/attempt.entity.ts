import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { DeliveryEntity } from './delivery.entity';

/** An attempt that has ended, inserted by the statement that changes its delivery. */
@Entity('attempt')
@Check('attempt_number_check', 'number > 0')
export class AttemptEntity {
  @PrimaryColumn('uuid')
  delivery_id!: string;

  @ManyToOne(() => DeliveryEntity)
  @JoinColumn({ name: 'delivery_id' })
  delivery?: DeliveryEntity;

  /** Counts from 1. */
  @PrimaryColumn('integer')
  number!: number;

  /** Null if no answer came. */
  @Column('integer', { nullable: true })
  response_status!: number | null;

  /** The class of the failure, never text from the receiver; null if the receiver acknowledged. */
  @Column('text', { nullable: true })
  error!: string | null;

  @Column('integer')
  latency_ms!: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  ended_at!: Date;

  /** The beginning of the receiver's answer as harmless text (`toExcerpt`); null if no answer came. */
  @Column('text', { nullable: true })
  response_excerpt!: string | null;
}
