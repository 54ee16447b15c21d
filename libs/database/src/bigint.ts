import { types } from 'pg';

/**
 * Money is `bigint` in PostgreSQL and a safe integer here. The driver returns a string by default, which turns `balance + 1`
 * into a concatenation. This parser is the only place that changes the default.
 */
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a safe integer`);
  return value;
});
