import { type FindOperator, Raw } from 'typeorm';

/**
 * Compares a column with a word that stands in the SQL itself, and not as a parameter. A plan for any parameter cannot use a partial
 * index (`WHERE status = 'exhausted'`), and by such an index alone a few rows are found among many.
 * @param word of a fixed list, never what a client sent.
 */
export function literal<Word extends string>(word: Word): FindOperator<Word> {
  if (!/^\w+$/.test(word)) throw new Error(`${word} is no word that may stand in SQL.`);
  return Raw((column) => `${column} = '${word}'`) as FindOperator<Word>;
}
