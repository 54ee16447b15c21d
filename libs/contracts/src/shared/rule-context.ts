/** The first offending field of a body, with its path, and the end of the sentence "<field> …" that says what is wrong. */
export interface FieldProblem {
  param: string;
  message: string;
}

/** Judges one item of a list whose own rule has passed. */
export type ItemCheck = (item: unknown, path: string) => FieldProblem | null;

export type FieldsClass = new () => object;

/** What a rule leaves beside itself, for those who must tell more than whether it holds. */
export interface RuleContext {
  /** What the field may hold, in the words of JSON Schema; objects in a list are told by their class instead. */
  schema: Readonly<Record<string, unknown>>;
  /** Of the longest legal value as JSON, with every character written as an escape: what a body limit must leave room for. */
  maxJsonBytes: number;
  itemClass?: FieldsClass;
  /** Names the offending item of a list. */
  checkItem?: ItemCheck;
}
