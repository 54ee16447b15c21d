import { toDataUri } from '../../../apps/gateway/test/image.fixtures';
import { type Abuse, deepJson, DELAY, FULLEST_TEXTS, heavyImage, largestImage } from './abuse';
import { KeySender, type SentBody } from './key-sender';

const EDITS = '/images/edits';
const GENERATIONS = '/images/generations';

/** Requests that one valid key can send to /v1; together slightly more than its rate limit. */
export async function keyAbuses(baseUrl: string, apiKey: string): Promise<Abuse[]> {
  const sender = new KeySender(baseUrl, apiKey);
  const begin = (length: string, bytes = '', goOn?: { bytes: string; everyMs: number }): Promise<string> =>
    sender.begin(EDITS, ['Content-Type: application/json', length], bytes, goOn);
  const trickle = { bytes: '1\r\n \r\n', everyMs: 500 };
  const [heavy, largest] = [editOf(heavyImage()), editOf(await largestImage())];
  const [fullest, brackets] = [json(JSON.stringify(FULLEST_TEXTS)), json(deepJson())];
  return [
    {
      name: 'bodies that stop',
      clients: 8,
      everyMs: 1_000,
      send: () => begin('Content-Length: 5217728', ' '.repeat(1_024)),
    },
    {
      name: 'bodies that trickle',
      clients: 8,
      everyMs: 1_000,
      send: () => begin('Transfer-Encoding: chunked', '', trickle),
    },
    { name: 'edits of 40 MB', clients: 1, everyMs: 1_000, send: () => sender.post(EDITS, heavy) },
    { name: 'edits of three images of 4096²', clients: 3, everyMs: 750, send: () => sender.post(EDITS, largest) },
    { name: 'the fullest creations', clients: 2, everyMs: 500, send: () => sender.post(GENERATIONS, fullest) },
    { name: 'full lists', clients: 2, everyMs: 500, send: () => sender.get('/jobs?limit=100') },
    { name: 'malformed bodies', clients: 1, everyMs: 500, send: () => sender.post(GENERATIONS, brackets) },
  ];
}

function editOf(image: Buffer): SentBody {
  const uri = toDataUri(image);
  return json(Buffer.from(JSON.stringify({ prompt: `${DELAY} warmer`, images: [uri, uri, uri] })));
}

function json(bytes: string | Buffer): SentBody {
  return { bytes, contentType: 'application/json' };
}
