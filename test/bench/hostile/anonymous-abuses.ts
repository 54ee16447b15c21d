import { randomInt } from 'node:crypto';
import { Pool } from 'undici';
import {
  API_KEY_PREFIX,
  API_KEY_RANDOM_LENGTH,
  BASE62,
  apiKeyChecksum,
} from '../../../libs/contracts/src/billing/api-key-format';
import type { Abuse } from './abuse';
import { RawClient } from './raw-client';

const ADDRESS = '127.0.0.2';
const CALLBACK = ['POST /callbacks/x/y HTTP/1.1', 'Host: x', 'Content-Length: 1048576', '', ''].join('\r\n');

/** Requests that an address without an API key can send. */
export function anonymousAbuses(baseUrl: string): Abuse[] {
  const raw = new RawClient(baseUrl, ADDRESS);
  const { origin, pathname } = new URL(`${baseUrl}/models`);
  const pool = new Pool(origin, { connections: 8, connect: { localAddress: ADDRESS } });
  const guess = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${inventedKey()}` };
    const { statusCode, body } = await pool.request({ method: 'GET', path: pathname, headers });
    await body.dump();
    return String(statusCode);
  };
  let malformed = 0;
  const requests = malformedRequests(new URL(baseUrl).pathname);
  const sendMalformed = (): Promise<string> => raw.send(requests[malformed++ % requests.length] ?? '');
  return [
    { name: 'guessed keys', clients: 8, everyMs: 40, send: guess },
    { name: 'malformed requests', clients: 2, everyMs: 40, send: sendMalformed },
    { name: 'callbacks without their bodies', clients: 128, everyMs: 1_000, send: () => raw.send(CALLBACK) },
    { name: 'silent connections', clients: 200, everyMs: 1_000, send: () => raw.send('') },
  ];
}

function malformedRequests(path: string): string[] {
  return [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    `GET ${path}/models http/1.1\r\n\r\n`,
    `GET ${path}/models HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    `POST ${path}/images/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET ${path}/${'%zz'.repeat(1_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ];
}

/** Well-formed, so that only a look-up shows that the key does not exist. */
function inventedKey(): string {
  const random = Array.from({ length: API_KEY_RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  return API_KEY_PREFIX + random + apiKeyChecksum(API_KEY_PREFIX + random);
}
