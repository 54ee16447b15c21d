import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { DeliveryEntity } from './delivery.entity';

/** A completed attempt at a delivery, written in the statement that changes the delivery. */
@Entity('attempt')
@Check('attempt_number_check', 'number > 0')
export class AttemptEntity {
  @PrimaryColumn('uuid')
  delivery_id!: string;

  @ManyToOne(() => DeliveryEntity)
  @JoinColumn({ name: 'delivery_id' })
  delivery?: DeliveryEntity;

  /** From 1 on. */
  @PrimaryColumn('integer')
  number!: number;

  /** Null if no answer arrived. */
  @Column('integer', { nullable: true })
  response_status!: number | null;

  /** The class of the failure, never text from the receiver; null if the receiver acknowledged. */
  @Column('text', { nullable: true })
  error!: string | null;

  @Column('integer')
  latency_ms!: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  ended_at!: Date;
}
