import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@kinora/contracts/jobs/webhook-event';
import type { JsonSchema } from '../contracts/json-schema';
import { EXAMPLES } from './examples';

const SUMMARY: Record<WebhookEventType, string> = {
  'job.succeeded': 'A job has succeeded',
  'job.failed': 'A job has failed',
  'job.canceled': 'A job was canceled',
};

const MEANING: Record<WebhookEventType, string> = {
  'job.succeeded': 'The output has passed moderation and can be downloaded.',
  'job.failed': 'The provider failed or took too long, or the output was blocked. The reserved amount is refunded.',
  'job.canceled': 'The job was canceled while it was in flight. The reserved amount is refunded.',
};

const DELIVERY = `Sent once the job has ended, if it was created with a \`webhook_url\`. It is a notification and not the source of truth:
\`GET /jobs/{id}\` is.

Answer with any 2xx status within 10 seconds. After any other answer, also a redirect, the delivery is tried again up to
5 times: 1 minute, 5 minutes, 30 minutes, 2 hours and 6 hours after the previous attempt. Recognise repeats by \`X-Service-Delivery\` or by the event's \`id\`.`;

const SIGNATURE = `\`t=<unix seconds>,v1=<hex>\`: \`v1\` is the HMAC-SHA256 of \`<t>.<raw body>\`, keyed with the account's webhook secret as
UTF-8 text, prefix included. While a secret is being rotated there is one \`v1\` for each valid secret, newest first.
Compare in constant time with each, and refuse a timestamp older than 300 seconds.`;

/** The requests that the service itself sends. */
export function describeWebhooks(): JsonSchema {
  return Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: describeWebhook(type) }]));
}

function describeWebhook(type: WebhookEventType): JsonSchema {
  const event = { allOf: [{ $ref: '#/components/schemas/WebhookEvent' }, { properties: { type: { const: type } } }] };
  const example = EXAMPLES.webhooks[type];
  return {
    operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    summary: SUMMARY[type],
    description: `${MEANING[type]}\n\n${DELIVERY}`,
    // Webhooks are signed instead: a receiver has no key of the API.
    security: [],
    parameters: [
      header('X-Service-Event', 'The type of the event.', { type: 'string', const: type }),
      header('X-Service-Delivery', 'The same for every attempt to deliver this event.', {
        type: 'string',
        format: 'uuid',
      }),
      header('X-Service-Signature', SIGNATURE, { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' }),
      header('User-Agent', "The sender's name and version.", { type: 'string', const: 'Kinora-Webhooks/1.0' }),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: event, ...(example && { example }) } } },
    responses: {
      '2XX': { description: 'Received. The body is ignored.' },
      '4XX': { description: 'Any other status is a failed delivery, which is tried again.' },
    },
  };
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'header', required: true, description, schema };
}
