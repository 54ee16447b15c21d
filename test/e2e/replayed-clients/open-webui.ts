import type { FormField, ReplayedAnswer, ReplayedRequest } from './replayed-request';
import { entriesOf } from './replayed-request';

/**
 * Open WebUI as of its commit 02530d5 (2026): `routers/images.py` and `routers/openai.py`. Its settings name the base URL, the key and one
 * model; it sends with aiohttp.
 */
const AIOHTTP = { Accept: '*/*', 'Accept-Encoding': 'gzip, deflate', 'User-Agent': 'Python/3.11 aiohttp/3.13.2' };
const authorized = (apiKey: string) => ({ ...AIOHTTP, Authorization: `Bearer ${apiKey}` });
const BOUNDARY = '0d5f2b6f0c0b4f3a9a4f9c0f8f3f1c5e';

export function openWebUiRequests(image: Buffer): ReplayedRequest[] {
  const file = { value: image, filename: '7f0c7c1e.png', contentType: 'image/png' };
  return [
    { what: 'lists models', method: 'GET', path: '/models', headers: authorized, read: readNames },
    generation('makes an image with its default settings', {
      model: 'dall-e-2',
      n: 1,
      size: '512x512',
      response_format: 'b64_json',
    }),
    generation('makes two images of gpt-image-1, for which it asks for no format', {
      model: 'gpt-image-1',
      n: 2,
      size: 'auto',
    }),
    generation(
      'makes an image for Azure, with further parameters',
      { model: 'gpt-image-1', n: 1, size: '1024x1024', quality: 'low' },
      '?api-version=2025-04-01-preview',
    ),
    generation('makes an image, configured to ask for an address', {
      model: 'fast-image',
      n: 1,
      response_format: 'url',
    }),
    edit('edits one image', { model: 'gpt-image-1' }, [{ name: 'image', ...file }]),
    edit(
      'edits several images',
      { model: 'image-edit', n: '1', size: '1024x1024', background: 'auto', response_format: 'b64_json' },
      [1, 2].map(() => ({ name: 'image[]', ...file })),
    ),
  ];
}

function generation(what: string, fields: Record<string, unknown>, query = ''): ReplayedRequest {
  const { model, ...others } = fields;
  const body = { json: { model, prompt: `a lantern: ${what}`, ...others } };
  return { what, method: 'POST', path: `/images/generations${query}`, headers: authorized, body, read: readImages };
}

function edit(what: string, fields: Record<string, string>, files: FormField[]): ReplayedRequest {
  const { model = '', ...others } = fields;
  const texts = Object.entries({ model, prompt: 'warmer', ...others }).map(([name, value]) => ({ name, value }));
  const body = { form: [...texts, ...files], boundary: BOUNDARY };
  return { what, method: 'POST', path: '/images/edits', headers: authorized, body, read: readImages };
}

async function readNames(answer: ReplayedAnswer): Promise<string[]> {
  return entriesOf(answer).map(({ id = '' }) => id);
}

/** It prefers the address, and loads it with the headers of its request except the type. */
async function readImages(answer: ReplayedAnswer): Promise<Buffer[]> {
  const { 'Content-Type': _, 'Content-Length': __, ...headers } = answer.sent;
  return await Promise.all(
    entriesOf(answer).map(async ({ url, b64_json }) => {
      if (!url) return Buffer.from(b64_json ?? '', 'base64');
      const response = await fetch(url, { headers });
      if (!response.ok || !response.headers.get('content-type')?.startsWith('image/'))
        throw new Error(`${url} answered ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    }),
  );
}
