import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an engine found of one piece of content. Of the built-in ones only objections are kept: they have no scores. */
export interface RecordedFinding {
  content: 'text' | 'image' | 'video';
  content_sha256: string;
  engine: string;
  objection: string | null;
  /** Absent from rows of before it was kept. */
  by_threshold?: boolean;
  scores: Record<string, number>;
}

/** An answer of the gate, for good: hashes of the content and what was found, never the content. */
@Entity('decision')
@Check('decision_stage_check', `stage IN ('input', 'output')`)
@Check('decision_verdict_check', `verdict IN ('passed', 'blocked')`)
@Check('decision_blocked_has_reason', `(verdict = 'blocked') = (engine IS NOT NULL AND reason IS NOT NULL)`)
@Check('decision_judged_something', 'cardinality(content_sha256) > 0')
// NOT VALID: rows of before these columns existed have null.
@Check('decision_says_how', 'policy_version IS NOT NULL AND engines IS NOT NULL AND findings IS NOT NULL')
@Index('decision_by_account', ['account_id', 'id'])
@Index('decision_by_job', ['job_id'])
@Index('decision_blocked', ['id'], { where: `verdict = 'blocked'` })
@Index('decision_blocked_of_account', ['account_id', 'id'], { where: `verdict = 'blocked'` })
export class DecisionEntity {
  /** UUID, version 7: the order of ids is the order of decisions. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('uuid')
  job_id!: string;

  /** The gate that was asked: before the job is created, or before its outputs are shown. */
  @Column('text')
  stage!: 'input' | 'output';

  @Column('text')
  verdict!: 'passed' | 'blocked';

  /** The engine that objected; null where the content passed. */
  @Column('text', { nullable: true })
  engine!: string | null;

  /** What it objected to; null where the content passed. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** Of each piece of content in hexadecimal, texts first. */
  @Column('text', { array: true })
  content_sha256!: string[];

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  /** Of the policy under which it was decided. Null, as the next two, in rows of before it was kept. */
  @Column('text', { nullable: true })
  policy_version!: string | null;

  /** The version of each engine that was asked. */
  @Column('json', { nullable: true })
  engines!: Record<string, string> | null;

  @Column('json', { nullable: true })
  findings!: RecordedFinding[] | null;

  /** How many pieces of the content were texts; the others were images and videos. Null in rows of before it was kept. */
  @Column('integer', { nullable: true })
  texts!: number | null;
}
