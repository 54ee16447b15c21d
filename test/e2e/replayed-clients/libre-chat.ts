import type { ReplayedAnswer, ReplayedRequest } from './replayed-request';
import { entriesOf } from './replayed-request';

/**
 * LibreChat as of its commit 8731432 (2025): `OpenAIImageTools.js`, which makes images with the package openai and edits with axios.
 * It takes the first image only, as base64.
 */
const OPENAI_PACKAGE = {
  Accept: 'application/json',
  'User-Agent': 'OpenAI/JS 5.10.1',
  'X-Stainless-Retry-Count': '0',
  'X-Stainless-Lang': 'js',
  'X-Stainless-Package-Version': '5.10.1',
  'X-Stainless-Timeout': '600',
};
const AXIOS = { Accept: 'application/json, text/plain, */*', 'User-Agent': 'axios/1.12.1' };
const AZURE_VERSION = '?api-version=2025-04-01-preview';
/** The tool fills in every field. */
const DEFAULTS = { n: 1, background: 'auto', output_format: 'png', quality: 'auto', size: 'auto' };

export function libreChatRequests(image: Buffer): ReplayedRequest[] {
  const form = [
    ...Object.entries({ model: 'gpt-image-1', prompt: 'warmer', quality: 'auto', size: 'auto' }).map(
      ([name, value]) => ({ name, value }),
    ),
    { name: 'image[]', value: image, filename: 'lantern.png', contentType: 'image/png' },
  ];
  const boundary = '--------------------------306410243716312184105913';
  // The files are streams of unknown length.
  const edits = { method: 'POST', body: { form, boundary }, isChunked: true, read: readFirst } as const;
  const withBearer = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });
  return [
    {
      what: 'lists models',
      method: 'GET',
      path: '/models',
      headers: (apiKey) => ({ ...AXIOS, ...withBearer(apiKey) }),
      read: async (answer) => entriesOf(answer).map(({ id = '' }) => id),
    },
    {
      what: 'makes an image',
      method: 'POST',
      path: '/images/generations',
      headers: (apiKey) => ({ ...OPENAI_PACKAGE, ...withBearer(apiKey) }),
      body: { json: { model: 'gpt-image-1', prompt: 'a lantern', ...DEFAULTS } },
      read: readFirst,
    },
    {
      what: 'makes an image for Azure, with both keys',
      method: 'POST',
      path: `/images/generations${AZURE_VERSION}`,
      headers: (apiKey) => ({ ...OPENAI_PACKAGE, ...withBearer(apiKey), 'api-key': apiKey }),
      body: { json: { model: 'gpt-image-1', prompt: 'a lantern', ...DEFAULTS, size: '1536x1024' } },
      read: readFirst,
    },
    { ...edits, what: 'edits an image', path: '/images/edits', headers: (key) => ({ ...AXIOS, ...withBearer(key) }) },
    {
      ...edits,
      what: 'edits an image for Azure',
      path: `/images/edits${AZURE_VERSION}`,
      headers: (apiKey) => ({ ...AXIOS, 'api-key': apiKey }),
    },
  ];
}

async function readFirst(answer: ReplayedAnswer): Promise<Buffer[]> {
  const base64 = entriesOf(answer)[0]?.b64_json;
  if (!base64) throw new Error('The first image has no b64_json.');
  return [Buffer.from(base64, 'base64')];
}
