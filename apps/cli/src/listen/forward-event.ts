import { randomUUID } from 'node:crypto';
import type { Job } from '@kinora/contracts/jobs/job';
import { toWebhookEvent, webhookHeaders } from '@kinora/webhooks';

const TIMEOUT_MS = 10_000;

/**
 * Sends a job's event once, as its webhook would be sent, to a URL of the developer. @returns a line that reports the
 * result.
 */
export async function forwardEvent(job: Job, { url, secret }: { url: string; secret: string }): Promise<string> {
  // The service's own event id, so that a receiver that gets the event both ways counts it once.
  const event = toWebhookEvent(`evt_${job.id.replaceAll('-', '')}`, job);
  const body = Buffer.from(JSON.stringify(event), 'utf8');
  const headers = webhookHeaders({ deliveryId: randomUUID(), eventType: event.type, body, secrets: [secret] });
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return `${response.status}`;
    },
    () => 'no answer',
  );
  return `${event.type}  ${job.id}  ${answer}`;
}
