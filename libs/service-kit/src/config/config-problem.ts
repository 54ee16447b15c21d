/** Keys and indexes that lead from the top of a file to a value. */
export type FieldPath = readonly (string | number)[];

/** A rule that a value of an operator's file violates, and the position of that value. */
export interface ConfigProblem {
  path: FieldPath;
  rule: string;
}

/** A setting with an invalid value. The message names the variable and never shows a secret. */
export class ConfigError extends Error {}

/** Environment variables: the source of settings, and of the values for `${NAME}`. */
export type Environment = Readonly<Record<string, string | undefined>>;
