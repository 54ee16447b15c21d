import type { JsonSchema } from '../../deploy/build/generate/contracts/json-schema';

/** A golden file: what the subjects of a context carry. */
export interface Golden {
  subjects: Record<string, JsonSchema>;
  $defs: Record<string, JsonSchema>;
}

/** A schema with the definitions that it refers to. */
interface Described {
  schema: JsonSchema;
  defs: Record<string, JsonSchema>;
}

/** What to do about it: libs/contracts/README.md, "Change a contract". */
const REMEDY =
  'Make the field optional, or declare a contract of the next version (v2) beside this one (libs/contracts/README.md).';

const MESSAGES = ['request', 'response', 'payload'] as const;

/**
 * What processes of two versions would not understand of each other, a sentence each. While one replaces the other both write
 * and both read: whatever one may write of a message, the other must find in it what it reads. What it does not know it ignores.
 */
export function incompatibilities(before: Golden, after: Golden): string[] {
  return Object.entries(before.subjects).flatMap(([subject, was]) => {
    const is = after.subjects[subject];
    if (!is)
      return [`${subject} is gone: keep its contract and its handler for one more release, beside what replaces it.`];
    return MESSAGES.filter((message) => message in was).flatMap((message) => {
      const [older, newer] = [
        { schema: was[message] as JsonSchema, defs: before.$defs },
        { schema: (is[message] ?? {}) as JsonSchema, defs: after.$defs },
      ];
      return [
        ...(understands(older, newer)
          ? []
          : [`${subject}: the version before does not understand the new ${message}. ${REMEDY}`]),
        ...(understands(newer, older)
          ? []
          : [`${subject}: the ${message} of the version before is not understood. ${REMEDY}`]),
      ];
    });
  });
}

/** Whether everything that the writer may write is something that the reader can read. */
function understands(reader: Described, writer: Described, requested: ReadonlySet<string> = new Set()): boolean {
  const pair = `${JSON.stringify(reader.schema)} ${JSON.stringify(writer.schema)}`;
  // A type within itself is understood where the rest of it is.
  if (requested.has(pair)) return true;
  const within = (read: unknown, written: unknown): boolean =>
    understands(
      { ...reader, schema: read as JsonSchema },
      { ...writer, schema: written as JsonSchema },
      new Set([...requested, pair]),
    );
  const [read, written] = [resolve(reader), resolve(writer)];
  if (Object.keys(read).length === 0) return true;
  if (Array.isArray(written['anyOf'])) return written['anyOf'].every((member) => within(read, member));
  if (Array.isArray(read['anyOf'])) return read['anyOf'].some((member) => within(member, written));
  const values = valuesOf(written);
  if (values) return values.every((value) => valuesOf(read)?.includes(value) ?? read['type'] === typeof value);
  if (valuesOf(read) || read['type'] !== written['type']) return false;
  if (read['type'] === 'array') return within(read['items'], written['items']);
  return read['type'] !== 'object' || findsItsFields(read, written, within);
}

function findsItsFields(
  read: JsonSchema,
  written: JsonSchema,
  within: (read: unknown, written: unknown) => boolean,
): boolean {
  const [wanted, there] = [read['properties'], written['properties']] as Record<string, unknown>[];
  const [required, sure] = [read['required'], written['required']] as string[][];
  const isThere = required?.every((name) => sure?.includes(name)) ?? true;
  const [others, otherThere] = [read['additionalProperties'], written['additionalProperties']];
  return (
    isThere &&
    Object.entries(wanted ?? {}).every(([name, field]) => !there || !(name in there) || within(field, there[name])) &&
    (!others || !otherThere || within(others, otherThere))
  );
}

function resolve({ schema, defs }: Described): JsonSchema {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/$defs/', '') : null;
  return name === null ? schema : resolve({ schema: defs[name] ?? {}, defs });
}

/** Where it says them all. */
function valuesOf(schema: JsonSchema): unknown[] | null {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : null;
}
