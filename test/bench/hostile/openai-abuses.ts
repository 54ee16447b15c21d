import { toDataUri } from '../../../apps/gateway/test/image.fixtures';
import { type Abuse, deepJson, DELAY, FULLEST_TEXTS, heavyImage, largestImage } from './abuse';
import { KeySender, type SentBody } from './key-sender';

export const OPENAI_PATH = '/openai/v1';
const EDITS = '/images/edits';
const GENERATIONS = '/images/generations';
const VIDEOS = '/videos';
/** Images are answered at the end of their job. This client leaves before, so its next request can follow. */
const HANG_UP_MS = 1_000;
const BOUNDARY = 'b';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image[]"; filename="a.png"\r\n\r\n`;
const IMAGES = 3;
const VIDEO_PROMPT_MAX = 1_500;
const MORE_PARTS_THAN_ALLOWED = 20_000;

/** The same abuse as that of /v1, in the forms of /openai/v1; together slightly more than the rate limit of the key. */
export async function openAiAbuses(baseUrl: string, apiKey: string): Promise<Abuse[]> {
  const sender = new KeySender(baseUrl, apiKey);
  const begin = (length: string, bytes: string, goOn?: { bytes: string; everyMs: number }): Promise<string> =>
    sender.begin(EDITS, [`Content-Type: ${FORM_TYPE}`, length], bytes, goOn);
  const [heavy, largest] = [heavyImage(), await largestImage()];
  const [heavyEdit, largestEdit, heavyUri] = [editOf(heavy), editOf(largest), toDataUri(heavy)];
  const manyParts = form(Buffer.from(PART.repeat(MORE_PARTS_THAN_ALLOWED)));
  const videoPrompt = FULLEST_TEXTS.prompt.slice(0, VIDEO_PROMPT_MAX);
  let sent = 0;
  // Each request is another one: a repeat of one that was cut off gets the job of the first.
  const fullest = (more = {}): SentBody => json({ ...FULLEST_TEXTS, ...more, user: `${sent++}` });
  const another = (edit: Buffer): SentBody => form(Buffer.concat([textPart('user', `${sent++}`), edit]));
  return [
    {
      name: 'bodies that stop',
      clients: 8,
      everyMs: 1_000,
      send: () => begin('Content-Length: 5217728', PART + ' '.repeat(1_024)),
    },
    {
      name: 'bodies that trickle',
      clients: 8,
      everyMs: 1_000,
      send: () =>
        begin('Transfer-Encoding: chunked', `${PART.length.toString(16)}\r\n${PART}\r\n`, {
          bytes: '1\r\n \r\n',
          everyMs: 500,
        }),
    },
    {
      name: 'forms of 30 MB',
      clients: 1,
      everyMs: 1_000,
      send: () => sender.post(EDITS, another(heavyEdit), HANG_UP_MS),
    },
    {
      name: 'forms of three images of 4096²',
      clients: 3,
      everyMs: 750,
      send: () => sender.post(EDITS, another(largestEdit), HANG_UP_MS),
    },
    {
      name: 'the fullest creations',
      clients: 2,
      everyMs: 500,
      send: () => sender.post(GENERATIONS, fullest(), HANG_UP_MS),
    },
    {
      name: 'videos of 13 MB of base64',
      clients: 1,
      everyMs: 1_000,
      send: () => sender.post(VIDEOS, fullest({ prompt: videoPrompt, input_reference: { image_url: heavyUri } })),
    },
    { name: 'full lists', clients: 2, everyMs: 500, send: () => sender.get(`${VIDEOS}?limit=100`) },
    { name: 'malformed bodies', clients: 1, everyMs: 500, send: () => sender.post(GENERATIONS, brackets()) },
    { name: 'forms of 20,000 parts', clients: 1, everyMs: 500, send: () => sender.post(EDITS, manyParts) },
  ];
}

/** An edit without its first part. */
function editOf(image: Buffer): Buffer {
  const images = Array.from({ length: IMAGES }, () => [Buffer.from(PART), image, Buffer.from('\r\n')]);
  return Buffer.concat([textPart('prompt', `${DELAY} warmer`), ...images.flat(), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function textPart(name: string, text: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
}

function form(bytes: Buffer): SentBody {
  return { bytes, contentType: FORM_TYPE };
}

function json(value: unknown): SentBody {
  return { bytes: JSON.stringify(value), contentType: 'application/json' };
}

function brackets(): SentBody {
  return { bytes: deepJson(), contentType: 'application/json' };
}
