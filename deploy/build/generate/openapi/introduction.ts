import type { JsonSchema } from '../contracts/json-schema';

/** The prose before the operations. */
export const INTRODUCTION = `Create a job, then poll it or let a webhook tell you of its end, and download what it made from a signed URL.

## Paying
An account is prepaid. The price is reserved when a job is accepted, charged if and only if the job succeeds, and
otherwise given back. Amounts are whole micro-USD: 1 USD = 1,000,000.

## Sending requests
Bodies are JSON in UTF-8. An unknown field or parameter is refused, and so is \`null\`: leave out what you do not want to
say. Lengths count Unicode code points. Send an \`Idempotency-Key\` with every creation, and repeat it when you do not
know whether the request arrived.

## Reading answers
Errors share one envelope. Branch on \`type\` and \`code\`, never on \`message\`; \`param\` names the offending field.
After 429 and 503 wait for \`Retry-After\` seconds, and back off exponentially. Do not repeat 402 before the balance is
topped up, nor 422 with the same content.

## Moderation
Every prompt, input image and output passes minor-safety moderation, which cannot be switched off. A refused input is
answered 422 and costs nothing; a refused output fails its job, which is refunded.

## Versions
This is version 1 of the API, as its path says. New optional request fields, new response fields and new values of
free-form texts may come without notice; nothing else changes within a version.`;

export const TAGS: JsonSchema[] = [
  { name: 'Jobs', description: 'Create images and videos, follow what becomes of them, and call them off.' },
  { name: 'Catalog', description: 'What jobs can be made with.' },
  { name: 'Account', description: 'Balance, limits, and what jobs came to.' },
  { name: 'Service', description: 'Whether it is there.' },
  { name: 'Webhooks', description: 'Requests to the `webhook_url` of a job, which tell of its end.' },
];
