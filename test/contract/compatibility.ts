import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { JsonSchema } from '../../deploy/build/generate/contracts/json-schema';
import { ROOT } from '../../deploy/build/source-files';

/** A golden file: the messages of each subject of a context. */
export interface Golden {
  subjects: Record<string, JsonSchema>;
  $defs: Record<string, JsonSchema>;
}

/** A schema with the definitions that it refers to. */
interface Described {
  schema: JsonSchema;
  defs: Record<string, JsonSchema>;
}

/** The way to fix it: libs/contracts/README.md, "Change a contract". */
const REMEDY =
  'Make the field optional, or declare a contract of the next version (v2) beside this one (libs/contracts/README.md).';

/** Copied from `golden` only when a release is made: its processes run beside those of the next release during an upgrade. */
const RELEASED = 'test/contract/released';

const MESSAGES = ['request', 'response', 'payload'] as const;

/** The incompatibilities between the contracts of the previous release and the current ones, in both directions. */
export function releaseIncompatibilities(): string[] {
  return readdirSync(path.join(ROOT, RELEASED)).flatMap((file) =>
    incompatibilities(read(RELEASED, file), read('test/contract/golden', file)),
  );
}

function read(folder: string, file: string): Golden {
  return JSON.parse(readFileSync(path.join(ROOT, folder, file), 'utf8')) as Golden;
}

/**
 * The incompatibilities between processes of two versions, one sentence each. During an upgrade both versions write and read,
 * so each must be able to read what the other writes. A reader ignores unknown fields.
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
          : [`${subject}: the version before cannot read the new ${message}. ${REMEDY}`]),
        ...(understands(newer, older)
          ? []
          : [`${subject}: the new version cannot read the ${message} of the version before. ${REMEDY}`]),
      ];
    });
  });
}

/** Whether the reader can read every message that the writer may write. */
function understands(reader: Described, writer: Described, requested: ReadonlySet<string> = new Set()): boolean {
  const pair = `${JSON.stringify(reader.schema)} ${JSON.stringify(writer.schema)}`;
  // A recursive type is compared once, where it first occurs.
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
  if (typeof schema['$ref'] !== 'string') return schema;
  return resolve({ schema: defs[schema['$ref'].replace('#/$defs/', '')] ?? {}, defs });
}

/** Where it says them all. */
function valuesOf(schema: JsonSchema): unknown[] | null {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : null;
}
