import type { Environment } from './environment';
import type { ConfigProblem, FieldPath } from './config-problem';
import { readSecret } from './read-secret';

const REFERENCE = /\$\{([^}]*)\}/g;

/**
 * Replaces `${NAME}` by environment variables, in values and not in keys. A variable that is not set is a problem. Most of them
 * are secrets, so each may be in a file (`<NAME>_FILE`).
 */
export function expandEnvironment<Plain extends object>(
  plain: Plain,
  environment: Environment,
): { expanded: Plain; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const expand = (value: unknown, path: FieldPath): unknown => {
    if (typeof value === 'string')
      return value.replace(REFERENCE, (_, name: string) => {
        const found = readSecret(name, environment);
        if (found === undefined) problems.push({ path, rule: `the environment variable ${name} is not set` });
        return found ?? '';
      });
    if (Array.isArray(value)) return value.map((item: unknown, index) => expand(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, expand(field, [...path, key])]));
  };
  return { expanded: expand(plain, []) as Plain, problems };
}
