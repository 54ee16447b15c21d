/** A path as `/jobs/:id`; a segment that begins with a colon takes any text. */
export interface Match {
  pattern: string;
  params: Record<string, string>;
}

/** The first pattern that the path has, with the texts of its parameters. */
export function matchPath(patterns: readonly string[], path: string): Match | null {
  for (const pattern of patterns) {
    const params = paramsOf(segmentsOf(pattern), segmentsOf(path));
    if (params) return { pattern, params };
  }
  return null;
}

function paramsOf(pattern: string[], path: string[]): Record<string, string> | null {
  if (pattern.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const text = path[index] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = decode(text);
    else if (segment !== text) return null;
  }
  return params;
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** A path typed by hand may hold a percent sign that encodes nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
