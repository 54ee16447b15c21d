import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sum of the entries of one kind in an ended hour. An hour without entries has rows too, which mark it as summed up. */
@Entity('ledger_hour')
export class LedgerHourEntity {
  @PrimaryColumn('timestamptz')
  hour!: Date;

  @PrimaryColumn('text')
  kind!: string;

  @Column('bigint')
  entries!: number;

  /** Adjustments that take money away are negative. */
  @Column('bigint')
  amount_micros!: number;
}
