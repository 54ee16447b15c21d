import type { JsonSchema } from '../contracts/json-schema';

/**
 * Converts a schema to the style of OpenAPI documents: definitions become components, and a nullable schema has null among its
 * types.
 */
export function toOpenApiSchema(schema: JsonSchema): JsonSchema {
  const {
    $ref,
    anyOf,
    const: constant,
    enum: values,
    properties,
    items,
    additionalProperties,
    required,
    ...rest
  } = schema;
  return {
    ...(typeof $ref === 'string' && { $ref: toComponentRef($ref) }),
    ...(constant !== undefined && { type: typeof constant, const: constant }),
    ...(Array.isArray(values) && { type: typeOf(values), enum: values as unknown[] }),
    ...rest,
    ...(items !== undefined && { items: toOpenApiSchema(items as JsonSchema) }),
    ...objectKeywords(properties as Record<string, JsonSchema> | undefined, required as string[] | undefined),
    ...(additionalProperties !== undefined && { additionalProperties: toAdditional(additionalProperties) }),
    ...(Array.isArray(anyOf) && alternatives((anyOf as JsonSchema[]).map(toOpenApiSchema))),
  };
}

function typeOf(values: unknown[]): string | string[] {
  const types = [...new Set(values.map((value) => typeof value))];
  const [only = '', second] = types;
  return second === undefined ? only : types.sort();
}

/** `List<Model>` and `Page<Job>`, whole or in part, become (API: ModelList) and (API: JobList). */
export function componentName(typeName: string): string {
  return typeName.replace(/^(?:List|Page|Listed|PartialList)<(\w+)>$/, '$1List');
}

function toComponentRef(ref: string): string {
  return ref.replace(/^#\/\$defs\/(.+)$/, (_, name: string) => `#/components/schemas/${componentName(name)}`);
}

function objectKeywords(properties: Record<string, JsonSchema> = {}, required: string[] = []): JsonSchema {
  const entries = Object.entries(properties).map(([name, schema]) => [name, toOpenApiSchema(schema)] as const);
  return {
    ...(entries.length > 0 && { properties: Object.fromEntries(entries) }),
    ...(required.length > 0 && { required }),
  };
}

function toAdditional(additional: unknown): unknown {
  return typeof additional === 'object' && additional !== null ? toOpenApiSchema(additional as JsonSchema) : additional;
}

function alternatives(members: JsonSchema[]): JsonSchema {
  const [value, ...others] = members.filter(({ type }) => type !== 'null');
  const isNullable = value !== undefined && others.length + 1 < members.length;
  if (
    isNullable &&
    others.length === 0 &&
    typeof value.type === 'string' &&
    !('enum' in value) &&
    !('const' in value)
  ) {
    return { ...value, type: [value.type, 'null'] };
  }
  return members.every(isDistinct) ? { oneOf: members } : { anyOf: members };
}

/** Whether a value can match no other member: null, a named type as the only one, an object without further keys. */
function isDistinct(member: JsonSchema, _index: number, members: JsonSchema[]): boolean {
  const isOnlyType = members.filter(({ type }) => type !== 'null').length === 1;
  return member.type === 'null' || member.additionalProperties === false || ('$ref' in member && isOnlyType);
}
