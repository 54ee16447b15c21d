/** A repeated query for rows, and the work on them. */
export interface Sweep {
  name: string;
  everyMs: number;
  /** `more`: the page was full, so the next one follows without a pause. */
  work: () => Promise<{ more: boolean }>;
}
