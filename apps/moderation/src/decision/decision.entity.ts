import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an engine found in one piece of content. Built-in engines have no scores, so only their objections are stored. */
export interface RecordedFinding {
  content: 'text' | 'image' | 'video';
  content_sha256: string;
  engine: string;
  objection: string | null;
  /** Absent from rows written before this field existed. */
  by_threshold?: boolean;
  scores: Record<string, number>;
}

/** A verdict of the gate: hashes of the content and the findings, never the content. Partitioned by months of the id. */
@Entity('decision')
@Check('decision_stage_check', `stage IN ('input', 'output')`)
@Check('decision_verdict_check', `verdict IN ('passed', 'blocked')`)
@Check('decision_blocked_has_reason', `(verdict = 'blocked') = (engine IS NOT NULL AND reason IS NOT NULL)`)
@Check('decision_judged_something', 'cardinality(content_sha256) > 0')
// NOT VALID: rows written before these columns existed hold null.
@Check('decision_says_how', 'policy_version IS NOT NULL AND engines IS NOT NULL AND findings IS NOT NULL')
@Index('decision_by_account', ['account_id', 'id'])
@Index('decision_by_job', ['job_id'])
@Index('decision_blocked', ['id'], { where: `verdict = 'blocked'` })
@Index('decision_blocked_of_account', ['account_id', 'id'], { where: `verdict = 'blocked'` })
export class DecisionEntity {
  /** UUID, version 7: ids are in the order of the decisions. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  account_id!: string;

  @Column('uuid')
  job_id!: string;

  /** `input` before the job is created, `output` before its outputs are delivered. */
  @Column('text')
  stage!: 'input' | 'output';

  @Column('text')
  verdict!: 'passed' | 'blocked';

  /** The engine that objected; null where the content passed. */
  @Column('text', { nullable: true })
  engine!: string | null;

  /** The reason code of the objection; null where the content passed. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** SHA-256 of each piece of content in hexadecimal, texts first. */
  @Column('text', { array: true })
  content_sha256!: string[];

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at!: Date;

  /** Version of the moderation policy. This column and the next two are null in rows written before they existed. */
  @Column('text', { nullable: true })
  policy_version!: string | null;

  /** The version of each engine that judged the content. */
  @Column('json', { nullable: true })
  engines!: Record<string, string> | null;

  @Column('json', { nullable: true })
  findings!: RecordedFinding[] | null;

  /**
   * How many pieces of the content were texts; the others were images and videos. Null in rows written before this column
   * existed.
   */
  @Column('integer', { nullable: true })
  texts!: number | null;
}
