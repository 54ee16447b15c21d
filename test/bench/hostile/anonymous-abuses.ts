import { randomInt } from 'node:crypto';
import {
  API_KEY_PREFIX,
  API_KEY_RANDOM_LENGTH,
  BASE62,
  apiKeyChecksum,
} from '../../../libs/contracts/src/billing/api-key-format';
import type { Abuse } from './abuse';
import { abuse } from './key-abuses';
import { Sender } from './sender';

const ADDRESS = '127.0.0.2';
const CALLBACK = ['POST /callbacks/x/y HTTP/1.1', 'Host: x', 'Content-Length: 1048576', '', ''].join('\r\n');

/** Requests that an address without an API key can send. */
export function anonymousAbuses(baseUrl: string): Abuse[] {
  const sender = new Sender(baseUrl, ADDRESS);
  let malformed = 0;
  const requests = malformedRequests(new URL(baseUrl).pathname);
  return [
    abuse('guessed keys', 8, 40, () => sender.get('/models', inventedKey())),
    abuse('malformed requests', 2, 40, () => sender.raw(requests[malformed++ % requests.length] ?? '')),
    abuse('callbacks without their bodies', 128, 1_000, () => sender.raw(CALLBACK)),
    abuse('silent connections', 200, 1_000, () => sender.raw('')),
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
