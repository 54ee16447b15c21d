import { createHash } from 'node:crypto';
import { ApiError } from '@kinora/contracts/shared/errors';
import { fieldRefusal } from '../error-answer';

/** What the header of a part says about it. */
export interface PartHead {
  name: string;
  isFile: boolean;
  /** The media type in lower case, without parameters; empty without a Content-Type. */
  type: string;
}

/** A key of metadata has at most 64 characters, of up to four bytes each. */
const NAME_MAX_BYTES = 300;

const FORM_DATA = /^form-data(?=;|$)/i;
/** A parameter with a quoted or a bare value; the expression continues where the last one ended. */
const PARAMETER = /;[ \t]*([\w!#$&+.^`|~*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*/y;
const CHARSET = /;\s*charset="?([^\s";]*)/i;
/** Encodings that leave the bytes as they are (RFC 7578, 4.7). */
const PLAIN_ENCODING = /^(?:7bit|8bit|binary)?$/i;

const headDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the header fields of a part, whose values hold a byte a character. @throws ApiError invalid_body */
export function readPartHead(fields: Record<string, string[] | undefined>): PartHead {
  const { name, isNamedFile } = readDisposition(fields['content-disposition']);
  const [contentType = ''] = fields['content-type'] ?? [];
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const [encoding = ''] = fields['content-transfer-encoding'] ?? [];
  if (!PLAIN_ENCODING.test(encoding.trim()))
    throw fieldRefusal(name, 'has a Content-Transfer-Encoding. Send its bytes as they are');
  const [, charset = 'utf-8'] = CHARSET.exec(contentType) ?? [];
  const isFile = isNamedFile || type === 'application/octet-stream' || type.startsWith('image/');
  if (!isFile && !/^(?:utf-?8|us-ascii)$/i.test(charset)) throw fieldRefusal(name, 'must be UTF-8');
  return { name, isFile, type };
}

function readDisposition([disposition = '', ...more]: string[] = []): { name: string; isNamedFile: boolean } {
  const parameters = more.length > 0 ? null : readParameters(disposition);
  const name = parameters?.get('name');
  // A backslash escapes in some clients and stands for itself in others, so two parsers would read two names.
  if (!parameters || name === undefined || name === '' || name.includes('\\')) throw malformedHead();
  if (name.length > NAME_MAX_BYTES)
    throw fieldRefusal(name, `is too long for a field name: at most ${NAME_MAX_BYTES} bytes`);
  return { name: decodeName(name), isNamedFile: parameters.has('filename') || parameters.has('filename*') };
}

/** Null where the text is malformed or names a parameter twice. */
function readParameters(disposition: string): Map<string, string> | null {
  const [formData = null] = FORM_DATA.exec(disposition) ?? [];
  if (formData === null) return null;
  const parameters = new Map<string, string>();
  for (PARAMETER.lastIndex = formData.length; PARAMETER.lastIndex < disposition.length;) {
    const [, name = null, quoted, bare] = PARAMETER.exec(disposition) ?? [];
    if (name === null || parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted ?? bare ?? '');
  }
  return parameters;
}

function decodeName(name: string): string {
  try {
    return headDecoder.decode(Buffer.from(name, 'latin1'));
  } catch {
    throw malformedHead();
  }
}

function malformedHead(): ApiError {
  const form = 'Content-Disposition: form-data; name="…"';
  return new ApiError('invalid_body', `A part of the multipart body has no well-formed header ${form}.`);
}

export interface FormPart extends PartHead {
  bytes: Buffer<ArrayBuffer>;
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
    throw fieldRefusal(name, 'must be UTF-8');
  }
}

function repeated(name: string): ApiError {
  return fieldRefusal(name, 'appears twice in the body');
}
