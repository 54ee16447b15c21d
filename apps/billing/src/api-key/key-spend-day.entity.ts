import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The captured jobs of a key, summed by the UTC day on which they were reserved. A capture adds to it. */
@Entity('key_spend_day')
export class KeySpendDayEntity {
  @PrimaryColumn('uuid')
  account_id!: string;

  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('uuid')
  api_key_id!: string;

  @Column('bigint')
  jobs!: number;

  @Column('bigint')
  charged_micros!: number;
}
