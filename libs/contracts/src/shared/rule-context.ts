/** The first offending field of a body, with its path, and the end of the sentence "<field> …" that says what is wrong. */
export interface FieldProblem {
  param: string;
  message: string;
}

/** Checks one item of a list after the list's own rule has passed. */
export type ItemCheck = (item: unknown, path: string) => FieldProblem | null;

export type FieldsClass = new () => object;

/** Metadata of a rule, for code that needs more than the test. */
export interface RuleContext {
  /** The allowed values in terms of JSON Schema; objects in a list are described by their class instead. */
  schema: Readonly<Record<string, unknown>>;
  /** Size of the longest valid value as JSON with every character escaped; body limits are derived from it. */
  maxJsonBytes: number;
  itemClass?: FieldsClass;
  /** Names the offending item of a list. */
  checkItem?: ItemCheck;
}
