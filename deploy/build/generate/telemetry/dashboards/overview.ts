import { type Dashboard, gauge, lines, number, quantile, rate } from './panel';

const CREATIONS = 'method="POST", route=~"/v1/(images|videos)/(generations|edits)"';
const REQUESTS = 'kinora_http_request_duration_seconds';

export const OVERVIEW: Dashboard = {
  uid: 'kinora-overview',
  title: 'Kinora',
  description: 'How the service does, at a glance.',
  rows: [
    {
      title: 'Now',
      panels: [
        number('Requests', 'reqps', 'Requests of clients per second.', `sum(${rate(`${REQUESTS}_count`)})`),
        number(
          'Errors of ours',
          'percentunit',
          'Share of the requests that were answered by 500 or 503.',
          `(sum(${rate(`${REQUESTS}_count`, 'status="5xx"')}) or vector(0)) / (sum(${rate(`${REQUESTS}_count`)}) > 0)`,
          { thresholds: { warning: 0.001, critical: 0.01 } },
        ),
        number(
          'Oldest queued job',
          's',
          'How long the job has waited that has waited longest.',
          `max(${gauge('kinora_jobs_oldest_queued_age_seconds')}) or vector(0)`,
          { thresholds: { warning: 60, critical: 600 } },
        ),
        number(
          'Broken rules of the ledger',
          'none',
          'Anything but 0 is money that is missing or was made.',
          `max(${gauge('kinora_ledger_violations')})`,
          { thresholds: { warning: 1, critical: 1 } },
        ),
        number(
          'Gates that do not block',
          'none',
          'Replicas of moderation whose canaries were not blocked; nothing passes them.',
          `count(${gauge('kinora_moderation_canary_blocked')} == 0) or vector(0)`,
          { thresholds: { warning: 1, critical: 1 } },
        ),
        number(
          'Overdue webhooks',
          's',
          'For how long the attempt has been due that has been due longest.',
          `max(${gauge('kinora_webhook_overdue_seconds')})`,
          { thresholds: { warning: 10, critical: 120 } },
        ),
      ],
    },
    {
      title: 'Clients',
      panels: [
        lines('Requests by route', 'reqps', 'Requests per second.', [
          { expr: `sum by (method, route) (${rate(`${REQUESTS}_count`)})`, legend: '{{method}} {{route}}' },
        ]),
        lines('Errors by code', 'reqps', 'Errors that clients were answered, by their code in the API.', [
          { expr: `sum by (code) (${rate('kinora_http_errors_total')})`, legend: '{{code}}' },
        ]),
        lines('Latency', 's', 'Of all requests; creations that wait for their result are among them.', [
          { expr: quantile(0.5, REQUESTS), legend: 'median' },
          { expr: quantile(0.99, REQUESTS), legend: '99%' },
          { expr: quantile(0.99, REQUESTS, [], CREATIONS), legend: 'creations, 99%' },
          { expr: quantile(0.99, 'kinora_job_acceptance_duration_seconds'), legend: 'acceptance, 99%' },
        ]),
      ],
    },
    {
      title: 'Work and money',
      panels: [
        lines(
          'Jobs in flight',
          'none',
          'By status.',
          [
            {
              expr: `sum by (status) (max by (model, status) (${gauge('kinora_jobs_in_flight')}))`,
              legend: '{{status}}',
            },
          ],
          { width: 6, stacked: true },
        ),
        lines(
          'Jobs that ended',
          'ops',
          'Per second, by status.',
          [{ expr: `sum by (status) (${rate('kinora_jobs_ended_total')})`, legend: '{{status}}' }],
          { width: 6 },
        ),
        lines(
          'Money held',
          'currencyUSD',
          'For jobs that have not ended.',
          [{ expr: `max(${gauge('kinora_holds_open_micros')}) / 1000000`, legend: 'held' }],
          { width: 6 },
        ),
        lines(
          'Webhooks',
          'ops',
          'Attempts per second, by outcome.',
          [
            {
              expr: `sum by (outcome) (${rate('kinora_webhook_attempt_duration_seconds_count')})`,
              legend: '{{outcome}}',
            },
          ],
          { width: 6 },
        ),
      ],
    },
  ],
};
