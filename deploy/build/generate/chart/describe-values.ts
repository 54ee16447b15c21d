import type { ValueComments } from './value-comments';

/**
 * `like` names the path of another value that has the same fields. A field without a comment of its own in values.yaml has the comment
 * of that value's field; the published schema has no `like`.
 */
export type Schema = Record<string, unknown>;

/** The schema with the description of each value. @throws if one has none, naming all of them */
export function describeValues(schema: Schema, comments: ValueComments): Schema {
  const missing: string[] = [];
  const described = describe(schema, ['']);
  if (missing.length > 0) {
    throw new Error(`Describe these values by a comment in values.yaml: ${missing.join(', ')}.`);
  }
  return described;

  /** `paths` are those of the value and of the values that it is like, nearest first. */
  function describe({ like, ...node }: Schema, paths: string[]): Schema {
    const known = typeof like === 'string' ? [...paths, like] : paths;
    const { properties, items } = node as { properties?: Record<string, Schema>; items?: Schema };
    return {
      ...node,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, child]) => [name, describeChild(child, joined(known, name))]),
        ),
      }),
      ...(items && { items: describe(items, known) }),
    };
  }

  function describeChild(child: Schema, paths: string[]): Schema {
    const commented = paths.map((path) => comments.get(path)).find((comment) => comment !== undefined);
    const description = child['description'] ?? commented;
    if (description === undefined) missing.push(paths[0] ?? '');
    return { ...describe(child, paths), description };
  }
}

function joined(paths: string[], name: string): string[] {
  return paths.map((path) => (path === '' ? name : `${path}.${name}`));
}
