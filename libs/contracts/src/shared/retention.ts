/** A part of a table that is dropped as a whole. */
export interface RetainedPart {
  name: string;
  /** Its rows were made from this time on; null in the first part, which has no beginning. */
  from: string | null;
  /** Its rows were made before this time; null while others may be added. */
  until: string | null;
  /** Estimated. */
  rows: number;
  bytes: number;
  /** The part is dropped from this time on; null where rows are kept for ever. */
  drops_at: string | null;
  /** What has to be done before. */
  waits_for?: string;
}

/** What of a table is dropped when. */
export interface RetentionPlan {
  table: string;
  /** The setting that names the days or months. */
  setting: string;
  /** Null where rows are kept for ever, or for months. */
  retention_days: number | null;
  retention_months?: number;
  /** Oldest first. */
  parts: RetainedPart[];
  /** What is left of the rows after their part is dropped. */
  stays: string;
}
