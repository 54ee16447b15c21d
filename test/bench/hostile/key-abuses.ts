import { greyPng, toDataUri } from '../../../apps/gateway/test/image.fixtures';
import sharp from 'sharp';
import type { Abuse } from './abuse';
import { type SentBody, Sender } from './sender';

export const OPENAI_PATH = '/openai/v1';
const ADDRESS = '127.0.0.3';
const EDITS = '/images/edits';
const GENERATIONS = '/images/generations';
const VIDEOS = '/videos';
/** Images are answered at the end of their job. This client leaves before, so its next request can follow. */
const HANG_UP_MS = 1_000;
/** Jobs that are never drawn: drawing would use all of the processor, and drawing is not measured here. */
const DELAY = '[[delay:3000s]]';
const HEAVY_IMAGE_BYTES = 9_900_000;
const LARGEST_SIDE_PX = 4_096;
const BOUNDARY = 'b';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image[]"; filename="a.png"\r\n\r\n`;
const MORE_PARTS_THAN_ALLOWED = 20_000;
const VIDEO_PROMPT_MAX = 1_500;

/** The longest texts in bytes: three bytes a character. */
const FULLEST_TEXTS = {
  prompt: DELAY.padEnd(2_000, '漢'),
  negative_prompt: '漢'.repeat(1_000),
  metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`key-${index}`, '漢'.repeat(256)])),
};
const BRACKETS = json('['.repeat(60_000) + ']'.repeat(60_000));

/** Requests that one valid key can send to either API; together slightly more than its rate limit. */
export async function keyAbuses(baseUrl: string, apiKey: string): Promise<Abuse[]> {
  const sender = new Sender(baseUrl, ADDRESS, apiKey);
  const isOpenAi = new URL(baseUrl).pathname === OPENAI_PATH;
  const background = { r: 200, g: 80, b: 40, alpha: 0.5 };
  const blank = { width: LARGEST_SIDE_PX, height: LARGEST_SIDE_PX, channels: 4 as const, background };
  // Small in pixels and nearly as large in bytes as an input may be, and the other way round.
  const [heavy, largest] = [greyPng(64, 64, HEAVY_IMAGE_BYTES), await sharp({ create: blank }).png().toBuffer()];
  const begun = isOpenAi ? PART : '';
  const begin = (length: string, bytes: string, trickle?: { bytes: string; everyMs: number }): Promise<string> =>
    sender.begin(EDITS, [`Content-Type: ${isOpenAi ? FORM_TYPE : 'application/json'}`, length], bytes, trickle);
  const chunk = isOpenAi ? `${PART.length.toString(16)}\r\n${PART}\r\n` : '';
  const abuses: Abuse[] = [
    abuse('bodies that stop', 8, 1_000, () => begin('Content-Length: 5217728', begun + ' '.repeat(1_024))),
    abuse('bodies that trickle', 8, 1_000, () =>
      begin('Transfer-Encoding: chunked', chunk, { bytes: '1\r\n \r\n', everyMs: 500 }),
    ),
    abuse('malformed bodies', 1, 500, () => sender.post(GENERATIONS, BRACKETS)),
  ];
  return [...abuses, ...(isOpenAi ? openAiAbuses(sender, heavy, largest) : v1Abuses(sender, heavy, largest))];
}

function v1Abuses(sender: Sender, heavy: Buffer, largest: Buffer): Abuse[] {
  const [heavyEdit, largestEdit] = [heavy, largest].map((image) => {
    const uri = toDataUri(image);
    return json(Buffer.from(JSON.stringify({ prompt: `${DELAY} warmer`, images: [uri, uri, uri] })));
  }) as [SentBody, SentBody];
  const fullest = json(JSON.stringify(FULLEST_TEXTS));
  return [
    abuse('edits of 40 MB', 1, 1_000, () => sender.post(EDITS, heavyEdit)),
    abuse('edits of three images of 4096²', 3, 750, () => sender.post(EDITS, largestEdit)),
    abuse('the fullest creations', 2, 500, () => sender.post(GENERATIONS, fullest)),
    abuse('full lists', 2, 500, () => sender.get('/jobs?limit=100')),
  ];
}

/** The same in forms. Each request is another one: a repeat of one that was cut off gets the job of the first. */
function openAiAbuses(sender: Sender, heavy: Buffer, largest: Buffer): Abuse[] {
  const [heavyEdit, largestEdit] = [formOf(heavy), formOf(largest)];
  const manyParts = form(Buffer.from(PART.repeat(MORE_PARTS_THAN_ALLOWED)));
  const image_url = toDataUri(heavy);
  let sent = 0;
  const fullest = (more = {}): SentBody => json(JSON.stringify({ ...FULLEST_TEXTS, ...more, user: `${sent++}` }));
  const another = (edit: Buffer): SentBody => form(Buffer.concat([textPart('user', `${sent++}`), edit]));
  const video = { prompt: FULLEST_TEXTS.prompt.slice(0, VIDEO_PROMPT_MAX), input_reference: { image_url } };
  return [
    abuse('forms of 30 MB', 1, 1_000, () => sender.post(EDITS, another(heavyEdit), HANG_UP_MS)),
    abuse('forms of three images of 4096²', 3, 750, () => sender.post(EDITS, another(largestEdit), HANG_UP_MS)),
    abuse('the fullest creations', 2, 500, () => sender.post(GENERATIONS, fullest(), HANG_UP_MS)),
    abuse('videos of 13 MB of base64', 1, 1_000, () => sender.post(VIDEOS, fullest(video))),
    abuse('full lists', 2, 500, () => sender.get(`${VIDEOS}?limit=100`)),
    abuse('forms of 20,000 parts', 1, 500, () => sender.post(EDITS, manyParts)),
  ];
}

export function abuse(name: string, clients: number, everyMs: number, send: Abuse['send']): Abuse {
  return { name, clients, everyMs, send };
}

/** An edit of three images, without its first part. */
function formOf(image: Buffer): Buffer {
  const images = [1, 2, 3].flatMap(() => [Buffer.from(PART), image, Buffer.from('\r\n')]);
  return Buffer.concat([textPart('prompt', `${DELAY} warmer`), ...images, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function textPart(name: string, text: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
}

function form(bytes: Buffer): SentBody {
  return { bytes, contentType: FORM_TYPE };
}

function json(bytes: string | Buffer): SentBody {
  return { bytes, contentType: 'application/json' };
}
