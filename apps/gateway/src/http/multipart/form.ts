import { createHash } from 'node:crypto';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { type PartHead, partRefusal } from './part-head';

/** A complete part. */
export interface FormPart extends PartHead {
  bytes: Buffer<ArrayBuffer>;
  /** SHA-256 of the bytes. */
  sha256: string;
}

/** A text, or the texts of `name[]`, or those of `name[key]` by key, or the files of `name` and `name[]` in order. */
export type FormValue = string | readonly string[] | ReadonlyMap<string, string> | readonly FormFile[];

/** Only its bytes: what a client says about them is ignored, as in a data URI. */
export type FormFile = Buffer<ArrayBuffer>;

/** The value of a multipart body. JSON never has this type. */
export class Form {
  constructor(readonly values: ReadonlyMap<string, FormValue>) {}
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LIST = /^([^[\]]+)\[\]$/;
const ENTRY = /^([^[\]]+)\[([^[\]]+)\]$/;

/**
 * The names of the clients of OpenAI: `image[]` is an item of a list, `metadata[key]` an entry of an object. A file is always an item,
 * because some clients repeat `image` instead.
 * @throws ApiError invalid_body for a field that stands twice, or in two of these forms
 */
export function toForm(parts: readonly FormPart[]): Form {
  const values = new Map<string, FormValue>();
  for (const part of parts) {
    const [, list] = LIST.exec(part.name) ?? [];
    const [, object, key = ''] = ENTRY.exec(part.name) ?? [];
    const name = list ?? object ?? part.name;
    const before = values.get(name);
    if (part.isFile) values.set(name, [...filesOf(before, part.name), part.bytes]);
    else if (list !== undefined) values.set(name, [...textsOf(before, part.name), decode(part)]);
    else if (object !== undefined) values.set(name, withEntry(before, key, part));
    else if (before === undefined) values.set(name, decode(part));
    else throw repeated(part.name);
  }
  return new Form(values);
}

/** SHA-256 of the parts in order. The bytes of the body differ each time it is sent: a client chooses a new boundary. */
export function hashParts(parts: readonly FormPart[]): string {
  const facts = parts.map(({ name, isFile, type, sha256 }) => [name, isFile, type, sha256]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function filesOf(before: FormValue | undefined, name: string): readonly FormFile[] {
  if (before === undefined) return [];
  if (isList(before) && before.every((item) => typeof item !== 'string')) return before;
  throw repeated(name);
}

function textsOf(before: FormValue | undefined, name: string): readonly string[] {
  if (before === undefined) return [];
  if (isList(before) && before.every((item) => typeof item === 'string')) return before;
  throw repeated(name);
}

function withEntry(before: FormValue | undefined, key: string, part: FormPart): ReadonlyMap<string, string> {
  if (before !== undefined && !(before instanceof Map)) throw repeated(part.name);
  const entries = new Map<string, string>(before);
  if (entries.has(key)) throw repeated(part.name);
  return entries.set(key, decode(part));
}

function isList(value: FormValue): value is readonly string[] | readonly FormFile[] {
  return Array.isArray(value);
}

function decode({ name, bytes }: FormPart): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw partRefusal(name, 'must be UTF-8');
  }
}

function repeated(name: string): ApiError {
  return partRefusal(name, 'appears twice in the body');
}
