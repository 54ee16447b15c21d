import type { JsonSchema } from '../contracts/json-schema';

/** The text before the operations. */
export const OPENAI_INTRODUCTION = `Programs that speak OpenAI's Images and Videos API work with Kinora after a change of base URL and key. The operations create
the same jobs as \`/v1\`, under the same keys, prices, limits and moderation.

## Requests
A field that OpenAI has and that changes nothing here is accepted, and the header \`X-Kinora-Ignored\` names it. Every other field is that of
\`/v1\`; an unknown one is refused. \`null\` for an optional field means that it was left out. \`api-version\` in the query changes nothing.

## Repeats
The clients of OpenAI repeat a request after a lost connection. The repeat gets the job of the first request, and nothing is charged twice. An
\`Idempotency-Key\`, where one is sent, decides alone.

## Errors
Errors have OpenAI's shape. Branch on \`code\`; \`param\` names the offending field. \`x-should-retry: false\` says that a repeat cannot help.`;

export const OPENAI_TAGS: JsonSchema[] = [
  { name: 'Images', description: 'Create and edit images.' },
  { name: 'Videos', description: 'Animate an image, follow the video, download and delete it.' },
  { name: 'Models', description: 'The models and their aliases.' },
];
