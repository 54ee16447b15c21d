const SECRETS = new Set(['authorization', 'api_key', 'secret', 'webhook_secret', 'prompt', 'url']);
const HIDDEN = '[Redacted]';
/** Deeper than any real log line; it ends the recursion of circular values. */
const DEEPEST = 6;

type Fields = Record<string, unknown>;

/** Returns the line without values under the names of secrets, at any depth; the same object if it has none. */
export function hideSecrets(line: Fields, depth = 1): Fields {
  let shown = line;
  for (const name of Object.keys(line)) {
    const value = SECRETS.has(name) ? hide(line[name]) : hideWithin(line[name], depth);
    if (value === line[name]) continue;
    if (shown === line) shown = Object.assign(Array.isArray(line) ? [] : {}, line);
    shown[name] = value;
  }
  return shown;
}

/** Null and undefined may be shown: they only reveal that no value is set. */
function hide(value: unknown): unknown {
  return value === undefined || value === null ? value : HIDDEN;
}

function hideWithin(value: unknown, depth: number): unknown {
  const isOpaque = typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value;
  return isOpaque || depth === DEEPEST ? value : hideSecrets(value as Fields, depth + 1);
}
