import { ApiError } from '@kinora/contracts/shared/errors';
import { shownParam } from '../shown-param';

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

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the header fields of a part, whose values hold a byte a character. @throws ApiError invalid_body */
export function readPartHead(fields: Record<string, string[] | undefined>): PartHead {
  const { name, isNamedFile } = readDisposition(fields['content-disposition']);
  const [contentType = ''] = fields['content-type'] ?? [];
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const [encoding = ''] = fields['content-transfer-encoding'] ?? [];
  if (!PLAIN_ENCODING.test(encoding.trim()))
    throw partRefusal(name, 'has a Content-Transfer-Encoding. Send its bytes as they are');
  const [, charset = 'utf-8'] = CHARSET.exec(contentType) ?? [];
  const isFile = isNamedFile || type === 'application/octet-stream' || type.startsWith('image/');
  if (!isFile && !/^(?:utf-?8|us-ascii)$/i.test(charset)) throw partRefusal(name, 'must be UTF-8');
  return { name, isFile, type };
}

/** An error that names the field of a part. */
export function partRefusal(name: string, problem: string): ApiError {
  const param = shownParam(name);
  return new ApiError('invalid_body', `${param} ${problem}.`, { param });
}

function readDisposition([disposition = '', ...more]: string[] = []): { name: string; isNamedFile: boolean } {
  const parameters = more.length > 0 ? null : readParameters(disposition);
  const name = parameters?.get('name');
  // A backslash escapes in some clients and stands for itself in others, so two parsers would read two names.
  if (!parameters || name === undefined || name === '' || name.includes('\\')) throw malformedHead();
  if (name.length > NAME_MAX_BYTES)
    throw partRefusal(name, `is too long for a field name: at most ${NAME_MAX_BYTES} bytes`);
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
    return decoder.decode(Buffer.from(name, 'latin1'));
  } catch {
    throw malformedHead();
  }
}

function malformedHead(): ApiError {
  const form = 'Content-Disposition: form-data; name="…"';
  return new ApiError('invalid_body', `A part of the multipart body has no well-formed header ${form}.`);
}
