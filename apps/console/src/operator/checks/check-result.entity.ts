import { Check as Constraint, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Check } from '@kinora/contracts/console/checks.rpc';

/** The last run of a check of the service, one row for each check, and when an operator has confirmed a backup. */
@Entity('check_result')
@Constraint('check_result_name_check', `name IN ('doctor', 'ledger_verify', 'backup')`)
export class CheckResultEntity {
  @PrimaryColumn('text')
  name!: Check | 'backup';

  @Column('boolean')
  ok!: boolean;

  @Column('text')
  summary!: string;

  @Column('jsonb')
  problems!: string[];

  /** The email of an operator, or the operator's name of the command line. */
  @Column('text')
  actor!: string;

  @Column('timestamptz')
  ran_at!: Date;
}
