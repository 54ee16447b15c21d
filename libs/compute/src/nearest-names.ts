/** More names would push the rest of the message out of sight. */
const MAX_SHOWN = 5;

/** A list of names for a message about a wrong one, the most similar first: it is probably a misspelt one. */
export function nearestNames(wrong: string, known: Iterable<string>): string {
  const ranked = [...known]
    .map((name) => ({ name, rank: rankOf(wrong.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
  const more = ranked.length - MAX_SHOWN;
  if (ranked.length === 0) return 'none';
  return ranked.slice(0, MAX_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A name that continues the wrong one comes first, whatever its length; then the fewest edits. */
function rankOf(wrong: string, name: string): number {
  return wrong !== '' && name.includes(wrong) ? -1 / name.length : editsBetween(wrong, name);
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + (letter === other[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[other.length] ?? 0;
}
