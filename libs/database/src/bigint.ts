import { types } from 'pg';

/**
 * Money is `bigint` in PostgreSQL and a safe integer here. The driver's default, a string, turns `balance + 1`
 * into a concatenation; this is the one place that decides otherwise.
 */
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a safe integer`);
  return value;
});
