import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A field of a form; one with a filename is a file. */
export interface FormField {
  name: string;
  value: string | Buffer;
  filename?: string;
  contentType?: string;
}

/** A request as a program sends it, and how that program reads the answer. */
export interface ReplayedRequest {
  what: string;
  method: 'GET' | 'POST';
  /** Behind the base URL that the program is configured with. */
  path: string;
  /** Without what the body determines. */
  headers: (apiKey: string) => Record<string, string>;
  body?: { json: object } | { form: FormField[]; boundary: string };
  /** Whether the program sends a body of unknown length. */
  isChunked?: boolean;
  /** What the program takes from the answer: images, or names of models. @throws where the program finds nothing */
  read: (answer: ReplayedAnswer) => Promise<(Buffer | string)[]>;
}

export interface ReplayedAnswer {
  status: number;
  json: { data?: { id?: string; url?: string; b64_json?: string }[] };
  sent: Record<string, string>;
}

export async function replay(baseUrl: string, apiKey: string, replayed: ReplayedRequest): Promise<ReplayedAnswer> {
  const { method, path, body, isChunked = false } = replayed;
  const [contentType, content] = toContent(body);
  const sent: Record<string, string> = {
    ...replayed.headers(apiKey),
    ...(contentType !== null && { 'Content-Type': contentType }),
    ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : content && { 'Content-Length': String(content.length) }),
  };
  const outgoing = request(baseUrl + path, { method, headers: sent, agent: false });
  outgoing.end(content);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const json = JSON.parse((await buffer(incoming)).toString('utf8')) as ReplayedAnswer['json'];
  return { status: incoming.statusCode ?? 0, json, sent };
}

/** The entries of an answer in the shape of an OpenAI list. @throws for an answer that has none */
export function entriesOf({ status, json }: ReplayedAnswer): NonNullable<ReplayedAnswer['json']['data']> {
  if (status !== 200 || !json.data?.length) throw new Error(`Answered ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

function toContent(body: ReplayedRequest['body']): [contentType: string | null, content: Buffer | undefined] {
  if (!body) return [null, undefined];
  if ('json' in body) return ['application/json', Buffer.from(JSON.stringify(body.json))];
  const parts = body.form.flatMap(({ name, value, filename, contentType }) => [
    `--${body.boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    ...(filename === undefined ? [] : [`; filename="${filename}"`]),
    ...(contentType === undefined ? [] : [`\r\nContent-Type: ${contentType}`]),
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  const content = Buffer.concat([...parts, `--${body.boundary}--\r\n`].map((part) => Buffer.from(part)));
  return [`multipart/form-data; boundary=${body.boundary}`, content];
}
