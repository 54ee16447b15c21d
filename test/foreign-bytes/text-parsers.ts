import { generateKeyPairSync } from 'node:crypto';
import { apiKeyChecksum, isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parseRange } from '@kinora/object-store';
import { InvalidJws, verifyJws } from '@kinora/signatures';
import { CallbackSigner } from '@kinora/webhooks';
import type { FastifyRequest } from 'fastify';
import Stripe from 'stripe';
import { readEmail } from '../../apps/billing/src/user/email-address';
import { csvLine } from '../../apps/console/src/customer/money/export-csv.query';
import { StripeEventsController } from '../../apps/gateway/src/callbacks/stripe-events.controller';
import { MultipartReader } from '../../apps/gateway/src/http/multipart/multipart-reader';
import { readJson } from '../../apps/gateway/src/http/received-body';
import { QuoteTokens } from '../../apps/jobs/src/intake/quote-tokens';
import { decodeCursor, decodeFeedCursor, encodeCursor, encodeFeedCursor } from '../../apps/jobs/src/job/cursor';
import { JobsConfig } from '../../apps/jobs/src/jobs.config';
import { readAnswers, readBatch, readBatchItem } from '../../libs/bus/src/batching/batch-message';
import { decode, unwrapReply } from '../../libs/bus/src/envelope';
import { falType } from '../../libs/compute/src/fal/fal.provider';
import { replicateType } from '../../libs/compute/src/replicate/replicate.provider';
import { type Parser, text } from './parser';

const UUID = '0190a0a0-0000-7000-8000-000000000000';
const BOUNDARY = 'kinora';
const SECRET = 'whsec_c2VjcmV0';
const FAL_KEY = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const INSTANCE = { id: 'any', url: 'https://backend.example', headers: {}, concurrency: 1 };

const callbacks = new CallbackSigner('a key');
const quotes = new QuoteTokens(Object.assign(new JobsConfig(), { quoteKey: 'a key' }));
const price = { unit_micros: 20_000, per: 'image', quantity: 1 } as const;
const quoted = { kind: 'image.generation', model: 'general-image', size: null, price, expiresAtMs: 1e14 } as const;
const replicate = replicateType.create(
  INSTANCE,
  Object.assign(new replicateType.settings(), { webhook_secret: SECRET }),
  servicesThatAnswer(Buffer.alloc(0)),
);
const bus = { request: () => Promise.resolve({ handled: true }) };
const stripe = new StripeEventsController(bus as never, { stripeWebhookSecret: SECRET } as never);
const requestOf = (value: Buffer) => ({ body: { value } }) as unknown as FastifyRequest;
const signedByStripe = (payload: string): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET });

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

/** What reads requests, their headers and their parts, messages, and callbacks. */
export const TEXT_PARSERS: Record<string, Parser> = {
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
  'a message of the bus': {
    samples: () =>
      text(
        '[{"request":{"job_id":"a"},"timeout_ms":5000,"request_id":"req_1","account_id":"a","traceparent":"00-a-b-01"}]',
        '[[0,{"ok":{"id":"a"}}],[1,{"error":{"code":"job_not_found","message":"m"}}]]',
        '{"error":{"code":"capacity","message":"m","param":"p","retry_after_seconds":1}}',
      ),
    parse: (bytes) => {
      for (const item of readBatch(bytes) ?? []) readBatchItem(item, 1_000);
      for (const [, reply] of readAnswers(bytes) ?? []) unwrapReply(reply);
      return unwrapReply(decode(bytes));
    },
    refusals: [ApiError],
  },
  'a callback of Replicate': {
    samples: () =>
      text(`v1,AAAA v1,${'A'.repeat(43)}=\n{"id":"abc","status":"succeeded","output":["https://a.example/1.png"]}`),
    parse: async (bytes) => {
      const [signature, body] = signatureAndBody(bytes);
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      await replicate.verifyCallback?.({ headers, body });
      return replicate.refOfCallback?.({ headers, body });
    },
  },
  'a callback of fal, and its keys': {
    samples: () => text(`${'a'.repeat(128)}\n{"request_id":"abc","keys":[${JSON.stringify(FAL_KEY)}]}`),
    parse: async (bytes) => {
      const [signature, body] = signatureAndBody(bytes);
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const headers = {
        ...{ 'x-fal-webhook-request-id': 'a', 'x-fal-webhook-user-id': 'b' },
        ...{ 'x-fal-webhook-timestamp': timestamp, 'x-fal-webhook-signature': signature },
      };
      const fal = falType.create(INSTANCE, new falType.settings(), servicesThatAnswer(body));
      await fal.verifyCallback?.({ headers, body });
      return fal.refOfCallback?.({ headers, body });
    },
  },
  'an event of Stripe': {
    samples: () => text('{"object":"event","type":"charge.refunded","account":"a","data":{"object":{"id":"ch_1"}}}'),
    parse: (bytes) => stripe.receive(requestOf(bytes), signedByStripe(bytes.toString())),
    refusals: [ApiError],
  },
  'a signature of Stripe': {
    samples: () => text(signedByStripe('{}')),
    parse: (bytes) => stripe.receive(requestOf(Buffer.from('{}')), bytes.toString('latin1')),
    refusals: [ApiError],
  },
  'the address of a callback': {
    samples: () => text(callbacks.pathOf('a', { jobId: UUID, attemptNumber: 1 }).slice('/callbacks/a/'.length)),
    parse: (bytes) => callbacks.read('a', bytes.toString('latin1')),
  },
  'a quote': {
    samples: () => text(quotes.issue(UUID, quoted)),
    parse: (bytes) => quotes.read(UUID, bytes.toString('latin1')),
    refusals: [ApiError],
  },
  'the cells of a CSV file': {
    samples: () => text('=1+1\n-1\n"a";b,c\n\u{ff1d}1\n@a\t'),
    parse: (bytes) => {
      const cells = bytes.toString().split('\n');
      const line = `${csvLine(cells).slice(0, -2)},`;
      const read = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*)),/g)];
      const isFormula = read.some(([, quoted, plain = '']) => /^[=+@\t\r]|^-(?![\d.]+$)/.test(quoted ?? plain));
      if (read.length !== cells.length || isFormula) throw new TypeError(`read as another line: ${line}`);
    },
  },
  'an e-mail address': {
    samples: () => text('ada.lovelace+kinora@mail.example.com', 'ada@[127.0.0.1]', 'ada@xn--bcher-kva.example'),
    parse: (bytes) => readEmail(bytes.toString('utf8')),
    refusals: [ApiError],
  },
};

/** A signature, and the body behind it. */
function signatureAndBody(bytes: Buffer): [signature: string, body: Buffer] {
  const end = bytes.indexOf('\n');
  return [bytes.toString('latin1', 0, Math.max(0, end)), bytes.subarray(end + 1)];
}

/** What an adapter needs of its process; every address answers with the same bytes. */
function servicesThatAnswer(body: Buffer): Parameters<typeof falType.create>[2] {
  const send = () => Promise.resolve({ status: 200, headers: {}, body, bodyEnd: 'complete' });
  return { egress: { send }, logger: null, templatesDir: null } as never;
}
