/** A request to the API, as the playground would send it. */
export interface SampleRequest {
  operation: 'images.generations' | 'images.edits' | 'videos.generations';
  body: Readonly<Record<string, unknown>>;
  /** With /v1. */
  apiBaseUrl: string;
}

const PATHS = {
  'images.generations': '/images/generations',
  'images.edits': '/images/edits',
  'videos.generations': '/videos/generations',
};
const METHODS = {
  'images.generations': 'images.generate',
  'images.edits': 'images.edit',
  'videos.generations': 'videos.generate',
};
/** The fields of the OpenAI client's types; others go into the body beside them. */
const OPENAI_FIELDS = new Set(['prompt', 'model', 'n', 'size', 'output_format']);
const DATA_URI = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i;

/** The request as code in each language, by the name of the language. */
export function requestSamples(request: SampleRequest): Record<string, string> {
  const samples = { TypeScript: typescript(request), Python: python(request), curl: curl(request) };
  return request.operation === 'images.generations' ? { ...samples, OpenAI: openai(request) } : samples;
}

/** An uploaded file would fill the page, so `nameOf` gives what stands for it, by its type and its number. */
function readable(
  body: SampleRequest['body'],
  nameOf: (type: string, count: number) => string,
): Record<string, unknown> {
  let count = 0;
  const shorten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shorten);
    const type = typeof value === 'string' ? DATA_URI.exec(value)?.[1] : undefined;
    return type === undefined ? value : nameOf(type, ++count);
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shorten(value)]));
}

const shortened = (type: string) => `data:${type};base64,…`;

/** The clients read files. */
const fileName = (type: string, count: number) => `input-${count}.${type.split('/')[1] ?? 'png'}`;

function curl({ operation, body, apiBaseUrl }: SampleRequest): string {
  const json = JSON.stringify(readable(body, shortened), null, 2).replaceAll("'", "'\\''");
  return [
    `curl ${apiBaseUrl}${PATHS[operation]} \\`,
    `  -H "Authorization: Bearer $KINORA_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -d '${json}'`,
  ].join('\n');
}

function typescript({ operation, body, apiBaseUrl }: SampleRequest): string {
  const download =
    operation === 'videos.generations'
      ? `await kinora.download(job.output.video, 'video.mp4');`
      : `await kinora.download(job.output.images[0], 'image.${extensionOf(body)}');`;
  return [
    '// npm install @kinora/client',
    `import { Kinora } from '@kinora/client';`,
    '',
    `const kinora = new Kinora({ apiKey: process.env.KINORA_API_KEY, baseURL: ${javascript(apiBaseUrl)} });`,
    `const job = await kinora.${METHODS[operation]}(${javascript(readable(body, fileName))});`,
    download,
  ].join('\n');
}

function python({ operation, body, apiBaseUrl }: SampleRequest): string {
  const download =
    operation === 'videos.generations'
      ? `kinora.download(job["output"]["video"], "video.mp4")`
      : `kinora.download(job["output"]["images"][0], "image.${extensionOf(body)}")`;
  return [
    '# pip install kinora',
    'import os',
    'from kinora import Kinora',
    '',
    `kinora = Kinora(api_key=os.environ["KINORA_API_KEY"], base_url=${pythonValue(apiBaseUrl)})`,
    `job = kinora.${METHODS[operation]}(`,
    ...Object.entries(readable(body, fileName)).map(([name, value]) => `    ${name}=${pythonValue(value)},`),
    ')',
    download,
  ].join('\n');
}

function openai({ body, apiBaseUrl }: SampleRequest): string {
  const fields = Object.entries(readable(body, shortened));
  const known = fields.filter(([name]) => OPENAI_FIELDS.has(name));
  const own = fields.filter(([name]) => !OPENAI_FIELDS.has(name));
  return [
    '// npm install openai',
    `import OpenAI from 'openai';`,
    '',
    `const openai = new OpenAI({`,
    `  apiKey: process.env.KINORA_API_KEY,`,
    `  baseURL: ${javascript(apiBaseUrl.replace(/\/v1$/, '/openai/v1'))},`,
    `});`,
    ...(own.length > 0 ? ['// Fields that the types of the client do not know are sent as they are.'] : []),
    `const { data } = await openai.images.generate(${javascript(Object.fromEntries([...known, ...own]))});`,
    `// data[0].b64_json is the image.`,
  ].join('\n');
}

const extensionOf = (body: SampleRequest['body']) =>
  typeof body['output_format'] === 'string' ? body['output_format'] : 'png';

/** A value as a literal of JavaScript, in the style of the project. */
export function javascript(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${escapeIn(value, "'")}'`;
  if (Array.isArray(value)) return `[${value.map((one) => javascript(one, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([name, one]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${escapeIn(name, "'")}'`;
    return `${inner}${key}: ${javascript(one, inner)},\n`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

/** A value as a literal of Python. */
export function pythonValue(value: unknown): string {
  if (typeof value === 'string') return `"${escapeIn(value, '"')}"`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${pythonValue(name)}: ${pythonValue(one)}`)
    .join(', ')}}`;
}

/** Escapes what would end the literal or break its line; both languages read these escapes the same. */
function escapeIn(text: string, quote: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
