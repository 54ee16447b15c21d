/** Keys and indexes that lead from the top of a file to a value. */
export type FieldPath = readonly (string | number)[];

/** A rule that a value of an operator's file violates, and the position of that value. */
export interface ConfigProblem {
  path: FieldPath;
  rule: string;
}
