import sharp from 'sharp';
import { Pool } from 'undici';
import { greyPng, toDataUri } from '../../../apps/gateway/src/fixtures/image.fixtures';
import type { Abuse } from './abuse';
import { RawClient } from './raw-client';

const ADDRESS = '127.0.0.3';
/** Jobs that are never drawn: drawing would use all of the processor, and drawing is not measured here. */
const DELAY = '[[delay:3000s]]';
/** The longest prompt in bytes: three bytes a character. */
const FULLEST = JSON.stringify({
  prompt: DELAY.padEnd(2_000, '漢'),
  negative_prompt: '漢'.repeat(1_000),
  metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`key-${index}`, '漢'.repeat(256)])),
});
const HEAVY_IMAGE_BYTES = 9_900_000;
const LARGEST_SIDE_PX = 4_096;

/** Requests that one valid key can send; together slightly more than its rate limit. */
export async function keyAbuses(baseUrl: string, apiKey: string): Promise<Abuse[]> {
  const { origin, pathname } = new URL(baseUrl);
  const raw = new RawClient(baseUrl, ADDRESS);
  const pool = new Pool(origin, { connections: 32, connect: { localAddress: ADDRESS } });
  const send = async (method: 'GET' | 'POST', path: string, sent?: string | Buffer): Promise<string> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(sent ? { 'content-type': 'application/json' } : {}) };
    const { statusCode, body } = await pool.request({ method, path: pathname + path, headers, body: sent ?? null });
    await body.dump();
    return String(statusCode);
  };
  const edit = ['POST /v1/images/edits HTTP/1.1', 'Host: x', `Authorization: Bearer ${apiKey}`];
  const head = (length: string): string => [...edit, 'Content-Type: application/json', length, '', ''].join('\r\n');
  const begun = head('Content-Length: 5217728') + ' '.repeat(1_024);
  const trickle = { bytes: '1\r\n \r\n', everyMs: 500 };
  const [heavy, largest, brackets] = [
    editOf(greyPng(64, 64, HEAVY_IMAGE_BYTES)),
    editOf(await largestImage()),
    deepJson(),
  ];
  return [
    { name: 'bodies that stop', clients: 8, everyMs: 1_000, send: () => raw.send(begun) },
    {
      name: 'bodies that trickle',
      clients: 8,
      everyMs: 1_000,
      send: () => raw.send(head('Transfer-Encoding: chunked'), trickle),
    },
    { name: 'edits of 40 MB', clients: 1, everyMs: 1_000, send: () => send('POST', '/images/edits', heavy) },
    {
      name: 'edits of three images of 4096²',
      clients: 3,
      everyMs: 750,
      send: () => send('POST', '/images/edits', largest),
    },
    {
      name: 'the fullest creations',
      clients: 2,
      everyMs: 500,
      send: () => send('POST', '/images/generations', FULLEST),
    },
    { name: 'full lists', clients: 2, everyMs: 500, send: () => send('GET', '/jobs?limit=100') },
    { name: 'malformed bodies', clients: 1, everyMs: 500, send: () => send('POST', '/images/generations', brackets) },
  ];
}

function editOf(image: Buffer): Buffer {
  const uri = toDataUri(image);
  return Buffer.from(JSON.stringify({ prompt: `${DELAY} warmer`, images: [uri, uri, uri] }));
}

function largestImage(): Promise<Buffer> {
  const background = { r: 200, g: 80, b: 40, alpha: 0.5 };
  return sharp({ create: { width: LARGEST_SIDE_PX, height: LARGEST_SIDE_PX, channels: 4, background } })
    .png()
    .toBuffer();
}

function deepJson(): string {
  return '['.repeat(60_000) + ']'.repeat(60_000);
}
