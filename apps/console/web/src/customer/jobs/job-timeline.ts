import { type Delivery, isInFlight, type Job, type Receipt } from '../../api/customer';
import { elapsedMs, formatDuration, formatMoney, hostOf } from '../../formatting/format';

export interface Step {
  name: string;
  detail: string;
  at: string | null;
  tone: 'good' | 'bad' | 'active' | 'calm';
}

/** What has happened to a job, in its order: queued, gate, attempts, gate, end, money, webhook. */
export function jobTimeline(job: Job, receipt: Receipt | null, deliveries: readonly Delivery[] = []): Step[] {
  return [
    created(job, receipt),
    ...decisions(receipt, 'input'),
    ...attempts(job, receipt),
    ...decisions(receipt, 'output'),
    ...end(job),
    ...money(receipt),
    ...[...deliveries].reverse().map(webhook),
  ];
}

function created(job: Job, receipt: Receipt | null): Step {
  const reserved = receipt?.payload.hold.amount_micros ?? (isInFlight(job) ? job.usage.charged_micros : null);
  const detail = reserved === null ? '' : `${formatMoney(reserved)} reserved`;
  return { name: 'Queued', detail, at: job.created_at, tone: 'calm' };
}

function decisions(receipt: Receipt | null, stage: 'input' | 'output'): Step[] {
  const made = receipt?.payload.moderation.filter((decision) => decision.stage === stage) ?? [];
  return made.map(({ verdict, at, policy_version }) => ({
    name: stage === 'input' ? `Moderation of the input ${verdict}` : `Moderation of the output ${verdict}`,
    detail: policy_version === null ? '' : `Policy ${policy_version}`,
    at,
    tone: verdict === 'passed' ? 'good' : 'bad',
  }));
}

function attempts(job: Job, receipt: Receipt | null): Step[] {
  if (job.started_at === null) return [];
  const waited = `after ${formatDuration(elapsedMs(job.created_at, job.started_at))} in the queue`;
  const count = receipt?.payload.attempts ?? 1;
  const detail = count > 1 ? `${waited}, ${count} attempts` : waited;
  return [{ name: 'Started', detail, at: job.started_at, tone: job.completed_at === null ? 'active' : 'calm' }];
}

const ENDS: Partial<Record<Job['status'], [string, Step['tone']]>> = {
  succeeded: ['Succeeded', 'good'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'calm'],
};

function end(job: Job): Step[] {
  const [name, tone] = ENDS[job.status] ?? [];
  if (name === undefined || tone === undefined || job.completed_at === null) return [];
  const took = `${formatDuration(elapsedMs(job.created_at, job.completed_at))} in all`;
  return [{ name, detail: job.error ? `${job.error.code}: ${job.error.message}` : took, at: job.completed_at, tone }];
}

function money(receipt: Receipt | null): Step[] {
  if (receipt === null) return [];
  const { kind, amount_micros, at } = receipt.payload.settlement;
  const name = kind === 'capture' ? 'Charged' : 'Refunded';
  return [{ name, detail: formatMoney(amount_micros), at, tone: kind === 'capture' ? 'good' : 'calm' }];
}

const WEBHOOKS: Record<Delivery['status'], [string, Step['tone']]> = {
  pending: ['Webhook pending', 'active'],
  delivered: ['Webhook delivered', 'good'],
  exhausted: ['Webhook not delivered', 'bad'],
};

function webhook(delivery: Delivery): Step {
  const { status, url, attempt_count: attempts, last_response_status, last_error } = delivery;
  const [name, tone] = WEBHOOKS[status];
  const answer = last_response_status ?? last_error;
  const host = hostOf(url);
  const detail = [
    ...(host === null ? [] : [host]),
    ...(answer === null ? [] : [String(answer)]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ].join(', ');
  return { name, detail, at: delivery.completed_at ?? delivery.created_at, tone };
}
