/** What is looked for again and again. */
export interface Sweep {
  name: string;
  everyMs: number;
  /** `more`: a page was full, so that the next one is not waited for. */
  work: () => Promise<{ more: boolean }>;
}
