const SECRETS = new Set(['authorization', 'api_key', 'secret', 'webhook_secret', 'prompt', 'url']);
const HIDDEN = '[Redacted]';
/** Deeper than any line goes; what refers to itself has no end. */
const DEEPEST = 6;

type Fields = Record<string, unknown>;

/** A line without what stands under the name of a secret, however deep; the line as it is where there is none. */
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

/** That there is nothing may be seen. */
function hide(value: unknown): unknown {
  return value === undefined || value === null ? value : HIDDEN;
}

function hideWithin(value: unknown, depth: number): unknown {
  const isOpaque = typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value;
  return isOpaque || depth === DEEPEST ? value : hideSecrets(value as Fields, depth + 1);
}
