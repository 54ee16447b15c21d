import { apiKeyChecksum, isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { ApiError } from '@kinora/contracts/shared/errors';
import { CredentialProblem, CredentialReader } from '@kinora/credentials';
import { decodeDataUri, ImageProblem, inspectImage, sanitizeImage } from '@kinora/images';
import { parseRange } from '@kinora/object-store';
import { InvalidJws, verifyJws } from '@kinora/signatures';
import { VideoProblem } from '@kinora/videos';
import fc from 'fast-check';
import { readEmail } from '../../apps/billing/src/user/email-address';
import { MultipartReader } from '../../apps/gateway/src/http/multipart/multipart-reader';
import { readJson } from '../../apps/gateway/src/http/received-body';
import { LoraProblem } from '../../apps/jobs/src/dispatch/loras/lora-problem';
import { SafetensorsCheck } from '../../apps/jobs/src/dispatch/loras/safetensors-check';
import { decodeCursor, decodeFeedCursor, encodeCursor, encodeFeedCursor } from '../../apps/jobs/src/job/cursor';
import { PROGRAM, STRANGER, drawImage, signAs } from '../../libs/credentials/src/credential.fixtures';
import { manifestPartsOf } from '../../libs/credentials/src/manifest-parts';
import { timeStamper, TimeStampProblem } from '../../libs/credentials/src/time-stamp';
import { PLAIN_FILES, UNUSUAL_FILES } from '../../libs/images/src/hidden-data.fixture';
import { movingSquare } from '../../libs/videos/src/mp4.fixtures';
import { readVideo } from '../../libs/videos/src/read-video';
import { mutatedBytes } from './mutated-bytes';

/** `FOREIGN_BYTES_RUNS=100000` takes an hour. A failure prints the seed and the path that reproduce it. */
const RUNS = Number(process.env['FOREIGN_BYTES_RUNS'] ?? 100);
/** Of one input, on a busy machine. */
const STALLED_MS = 5_000;
const UUID = '0190a0a0-0000-7000-8000-000000000000';
const BOUNDARY = 'kinora';

interface Parser {
  samples: () => Promise<Buffer[]> | Buffer[];
  parse: (bytes: Buffer) => unknown;
  /** What it throws for bytes that it refuses; anything else is a crash. */
  refusals?: readonly (new (...parameters: never[]) => Error)[];
  /** The share of the runs of one that takes long. */
  share?: number;
}

const images = async (): Promise<Buffer[]> => [
  ...(await Promise.all(Object.values(PLAIN_FILES).map((draw) => draw().toBuffer()))),
  ...(await Promise.all(Object.values(UNUSUAL_FILES).map((draw) => draw()))),
];
const text = (...samples: string[]): Buffer[] => samples.map((sample) => Buffer.from(sample));
const signed = async (): Promise<Buffer[]> => [await signAs(STRANGER, await drawImage('png'), 'image/png')];
const reader = new CredentialReader({}, PROGRAM);

const PARSERS: Record<string, Parser> = {
  'an image of a request': { samples: images, parse: (bytes) => inspectImage(bytes), refusals: [ImageProblem] },
  'an image for a backend': { samples: images, parse: (bytes) => sanitizeImage(bytes), refusals: [ImageProblem] },
  'a data URI': {
    samples: () => text('data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,'),
    parse: (bytes) => decodeDataUri(bytes.toString('latin1')),
    refusals: [ImageProblem],
  },
  'a video of a backend': {
    samples: async () => [await movingSquare()],
    parse: (bytes) => readVideo(bytes),
    refusals: [VideoProblem],
  },
  'the containers of manifests': {
    samples: async () => [...(await signed()), ...(await images()), await movingSquare()],
    parse: (bytes) =>
      (['image/png', 'image/jpeg', 'image/webp', 'video/mp4'] as const).map((type) => manifestPartsOf(bytes, type)),
  },
  'content credentials': {
    samples: signed,
    parse: (bytes) => reader.readCredential(bytes, 'image/png'),
    refusals: [CredentialProblem],
    share: 0.2,
  },
  'an answer of a time stamp authority': {
    samples: () => [Buffer.from('3009300302010030020500', 'hex'), Buffer.from('30053003020102', 'hex')],
    parse: (bytes) => timeStamper(() => Promise.resolve(bytes))(Buffer.from('stamped')),
    refusals: [TimeStampProblem],
  },
  'a multipart body': {
    samples: () => text(FORM, FORM.replaceAll('name="prompt"', 'name="metadata[a]"')),
    parse: (bytes) => {
      const form = new MultipartReader(BOUNDARY);
      for (let at = 0; at < bytes.length; at += 50) form.add(bytes.subarray(at, at + 50));
      return form.end();
    },
    refusals: [ApiError],
  },
  'a JSON body': {
    samples: () =>
      text('{"prompt":"a lake","n":1,"metadata":{"a":"b"},"loras":[{"id":"x","strength":0.5e1}]}', '"\\ud83d"'),
    parse: (bytes) => readJson(bytes, { canonical: true, bytes: true }),
    refusals: [ApiError],
  },
  'the header of a LoRA': {
    samples: () => [safetensors({ a: { dtype: 'F16', shape: [2, 2], data_offsets: [0, 8] } })],
    parse: (bytes) => {
      const check = new SafetensorsCheck();
      for (let at = 0; at < bytes.length; at += 5) check.see(bytes.subarray(at, at + 5));
      check.end();
    },
    refusals: [LoraProblem],
  },
  'a cursor': {
    samples: () => text(encodeCursor({ createdAt: new Date(1_700_000_000_000), id: UUID })),
    parse: (bytes) => decodeCursor(bytes.toString('latin1')),
    refusals: [ApiError],
  },
  'a cursor of the feed': {
    samples: () => text(encodeFeedCursor({ number: 1, token: UUID }), `evt_${UUID.replaceAll('-', '')}`),
    parse: (bytes) => decodeFeedCursor(bytes.toString('latin1')),
    refusals: [ApiError],
  },
  'an API key': {
    samples: () => text(`knr_live_${'a'.repeat(32)}${apiKeyChecksum(`knr_live_${'a'.repeat(32)}`)}`),
    parse: (bytes) => isWellFormedApiKey(bytes.toString('latin1')),
  },
  'a range of bytes': {
    samples: () => text('bytes=0-9', 'bytes=-5', 'bytes=5-'),
    parse: (bytes) => parseRange(bytes.toString('latin1'), 1_000),
  },
  'a signature of a receipt': {
    samples: () => text('eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJ0In0.e30.AAAA'),
    parse: (bytes) =>
      verifyJws(bytes.toString('latin1'), 't', [{ kid: 'k', x: Buffer.alloc(32, 1).toString('base64url') }]),
    refusals: [InvalidJws],
  },
  'an e-mail address': {
    samples: () => text('ada.lovelace+kinora@mail.example.com', 'ada@[127.0.0.1]', 'ada@xn--bcher-kva.example'),
    parse: (bytes) => readEmail(bytes.toString('utf8')),
    refusals: [ApiError],
  },
};

const FORM = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="prompt"',
  '',
  'a lake',
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="image[]"; filename="a.png"',
  'Content-Type: image/png',
  '',
  'bytes',
  `--${BOUNDARY}--`,
  '',
].join('\r\n');

function safetensors(header: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, Buffer.alloc(8)]);
}

describe('bytes of strangers are read or refused, and stall nothing', () => {
  afterAll(() => reader.close());

  it.each(Object.entries(PARSERS))(
    '%s',
    async (_, { samples, parse, refusals = [], share = 1 }) => {
      const known = await samples();
      for (const sample of known) await parseOrRefuse(sample, parse, refusals);
      await fc.assert(
        fc.asyncProperty(mutatedBytes(known), async (bytes) => {
          const startedAt = performance.now();
          await parseOrRefuse(bytes, parse, refusals);
          expect(performance.now() - startedAt).toBeLessThan(STALLED_MS);
        }),
        { numRuns: Math.ceil(RUNS * share), timeout: STALLED_MS },
      );
    },
    60_000 + RUNS * 1_000,
  );
});

async function parseOrRefuse(
  bytes: Buffer,
  parse: Parser['parse'],
  refusals: NonNullable<Parser['refusals']>,
): Promise<void> {
  try {
    await parse(bytes);
  } catch (error) {
    if (!refusals.some((refusal) => error instanceof refusal)) throw error;
  }
}
