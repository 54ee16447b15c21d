/** Keys and indexes that lead from the top of a file to a value. */
export type FieldPath = readonly (string | number)[];

export interface FieldProblem {
  path: FieldPath;
  rule: string;
}
