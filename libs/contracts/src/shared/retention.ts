/** A part of a table that is dropped as a whole. */
export interface RetainedPart {
  name: string;
  /** Its rows were made from this time on; null in the first part, which has no beginning. */
  from: string | null;
  /** Its rows were made before this time. */
  until: string;
  /** Estimated. */
  rows: number;
  bytes: number;
  /** The part is dropped from this time on; null where rows are kept for ever. */
  drops_at: string | null;
}

/** What of a table is dropped when. */
export interface RetentionPlan {
  table: string;
  /** The setting that names the days. */
  setting: string;
  /** Null where rows are kept for ever. */
  retention_days: number | null;
  /** Oldest first. */
  parts: RetainedPart[];
  /** What is left of the rows after their part is dropped. */
  stays: string;
}
