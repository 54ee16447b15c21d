import { type FindOperator, Raw } from 'typeorm';

/**
 * Compares a column with a literal in the SQL text instead of a parameter. A generic plan cannot use a partial index (`WHERE
 * status = 'exhausted'`) for a parameter, and the few matching rows are found quickly by such an index only.
 * @param word from a fixed list, never from client input.
 */
export function literal<Word extends string>(word: Word): FindOperator<Word> {
  if (!/^\w+$/.test(word)) throw new Error(`${word} may not be used as a literal in SQL.`);
  return Raw((column) => `${column} = '${word}'`) as FindOperator<Word>;
}
