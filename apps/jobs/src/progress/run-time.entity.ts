import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many jobs that ended in a minute ran for about the same time. Statistics: rows of the last seconds may be lost. */
@Entity('run_time')
export class RunTimeEntity {
  @PrimaryColumn('timestamptz')
  minute!: Date;

  @PrimaryColumn('text')
  model!: string;

  @PrimaryColumn('text')
  kind!: string;

  /** The binary logarithm of the pixels. */
  @PrimaryColumn('integer')
  size_class!: number;

  /** The instance that ran them. */
  @PrimaryColumn('text')
  provider!: string;

  /** (run-time-histogram.ts) */
  @PrimaryColumn('integer')
  bucket!: number;

  @Column('integer')
  jobs!: number;
}
