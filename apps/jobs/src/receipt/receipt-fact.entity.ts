import { type RowOf, columnsOf } from '@kinora/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JobKind, JobStatus } from '@kinora/contracts/jobs/job';
import type { JobErrorCode } from '@kinora/contracts/shared/errors';
import type { AcceptedFacts } from '../model/price';

/** What the receipt of a job states, which stays after the month of the job is dropped. The columns are those of the job. */
@Entity('receipt_fact')
export class ReceiptFactEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('text')
  kind!: JobKind;

  @Column('text')
  model!: string;

  @Column('text')
  status!: JobStatus;

  @Column('text', { nullable: true })
  error_code!: JobErrorCode | null;

  @Column('timestamptz')
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  started_at!: Date | null;

  @Column('timestamptz')
  completed_at!: Date | null;

  @Column('bigint', { nullable: true })
  gpu_ms!: number | null;

  @Column('bigint')
  price_micros!: number;

  @Column('json', { nullable: true })
  accepted_facts!: AcceptedFacts | null;

  /** The hashes of the files only. */
  @Column('json', { nullable: true })
  output!: { sha256?: string }[] | null;

  @Column('text', { array: true, nullable: true })
  passed_output_sha256!: string[] | null;

  @Column('text', { nullable: true })
  quote_id!: string | null;

  @Column('uuid')
  input_decision_id!: string;

  @Column('uuid', { nullable: true })
  output_decision_id!: string | null;

  @Column('bigint')
  attempts!: number;
}

/** The columns that a job and its facts have in common. */
export const RECEIPT_COLUMNS = columnsOf(
  ReceiptFactEntity,
  ...([
    'id',
    'account_id',
    'kind',
    'model',
    'status',
    'error_code',
    'created_at',
    'started_at',
    'completed_at',
  ] as const),
  ...(['gpu_ms', 'price_micros', 'accepted_facts', 'output', 'passed_output_sha256', 'quote_id'] as const),
  ...(['input_decision_id', 'output_decision_id'] as const),
);

export type ReceiptRow = RowOf<typeof RECEIPT_COLUMNS> & { attempts: number };
