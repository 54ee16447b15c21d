/** A query string without the parameters that are empty; it begins with `?`, or is empty. */
export function queryString(params: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}
