import type { IncomingHttpHeaders } from 'node:http';
import { reference, schemaProblems } from './described-answers';

/** Checks a webhook, as received, against the published reference. */
export function assertDescribedWebhook(headers: IncomingHttpHeaders, body: unknown): void {
  const problems = webhookProblems(headers, body);
  if (problems.length > 0) throw new Error(`The webhook differs from the reference:\n${problems.join('\n')}`);
}

export function webhookProblems(headers: IncomingHttpHeaders, body: unknown): string[] {
  const type = String(headers['x-service-event']);
  const webhook = reference.webhooks?.[type]?.post;
  if (!webhook) return [`The event ${type} is not described.`];
  const schema = webhook.requestBody?.content['application/json'].schema ?? {};
  return [
    ...(webhook.parameters ?? []).flatMap((header) =>
      schemaProblems(header.schema, headers[header.name.toLowerCase()] ?? null, header.name),
    ),
    ...schemaProblems(schema, body, 'body'),
  ];
}
