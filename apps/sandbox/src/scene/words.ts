/**
 * The words of a text, of any script, in lower case and singular, so that "Mountains" and "mountain" match the same
 * entry.
 */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+(?:'\p{L}+)?/gu) ?? [];
  return words.map(singular);
}

/**
 * Their plural has a different meaning: a tree is a subject, trees are vegetation; orange is a colour, oranges are
 * fruit.
 */
const KEPT_PLURALS = new Set(['trees', 'oranges']);

function singular(word: string): string {
  if (KEPT_PLURALS.has(word)) return word;
  if (word.length < 4 || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word === 'leaves') return 'leaf';
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith("'s") ? word.slice(0, -1) : word;
}
