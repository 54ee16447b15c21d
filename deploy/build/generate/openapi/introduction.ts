import type { JsonSchema } from '../contracts/json-schema';

/** The text before the operations. */
export const INTRODUCTION = `Create a job, then poll it or wait for a webhook, and download its outputs from signed URLs.

## Paying
An account is prepaid. The price is reserved when a job is accepted. It is charged if and only if the job succeeds, and
refunded otherwise. Amounts are whole micro-USD: 1 USD = 1,000,000.

## Sending requests
Bodies are JSON in UTF-8. An unknown field or parameter is refused. \`null\` for an optional field means that it was left out.
Lengths count Unicode code points. Send an \`Idempotency-Key\` with every create request, and repeat the request with the same key
if you do not know whether it arrived.

## Reading answers
Every \`GET\` has a \`HEAD\` with the same headers. A URL beyond 16 KiB is answered 414 in the envelope of errors.
Errors share one envelope. Branch on \`type\` and \`code\`, never on \`message\`; \`param\` names the offending field.
After 429 and 503 wait for \`Retry-After\` seconds, and back off exponentially. Do not repeat 402 before the balance is
topped up, nor 422 with the same content.

## Moderation
Every prompt, input image and output passes minor-safety moderation, which cannot be switched off. A refused input is
answered 422 and not charged; a refused output fails its job, which is refunded.

## Versions
This is version 1 of the API, as its path says. New optional request fields, new response fields and new values of
free-form texts may be added without notice; nothing else changes within a version.`;

export const TAGS: JsonSchema[] = [
  { name: 'Jobs', description: 'Create images and videos, follow their progress, and cancel them.' },
  { name: 'Events', description: 'What has happened to jobs, in one feed.' },
  { name: 'Catalog', description: 'The models and LoRAs that jobs can use.' },
  { name: 'Account', description: 'Balance, limits, usage, and the keys of the account.' },
  { name: 'Service', description: 'Whether the service is available.' },
  {
    name: 'Webhooks',
    description: 'Requests to the `webhook_url` of a job, which report its end, and their deliveries.',
  },
];
