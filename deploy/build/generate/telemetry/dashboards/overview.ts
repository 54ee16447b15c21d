import { type Dashboard, gauge, lines, number, quantile, rate } from './panel';

const CREATIONS = 'method="POST", route=~"/v1/(images|videos)/(generations|edits)"';
const REQUESTS = 'kinora_http_request_duration_seconds';

export const OVERVIEW: Dashboard = {
  uid: 'kinora-overview',
  title: 'Kinora',
  description: 'The state of the service at a glance.',
  rows: [
    {
      title: 'Now',
      panels: [
        number('Requests', 'reqps', 'Requests of clients per second.', `sum(${rate(`${REQUESTS}_count`)})`),
        number(
          'Service errors',
          'percentunit',
          'Share of requests that were answered with a 5xx status.',
          `(sum(${rate(`${REQUESTS}_count`, 'status="5xx"')}) or vector(0)) / (sum(${rate(`${REQUESTS}_count`)}) > 0)`,
          { thresholds: { warning: 0.001, critical: 0.01 } },
        ),
        number(
          'Oldest queued job',
          's',
          'The longest time that a queued job has waited.',
          `max(${gauge('kinora_jobs_oldest_queued_age_seconds')}) or vector(0)`,
          { thresholds: { warning: 60, critical: 600 } },
        ),
        number(
          'Broken rules of the ledger',
          'none',
          'Any value but 0 means that money is missing or was created.',
          `max(${gauge('kinora_ledger_violations')})`,
          { thresholds: { warning: 1, critical: 1 } },
        ),
        number(
          'Gates that do not block',
          'none',
          'Replicas of moderation whose canaries were not blocked; they refuse everything.',
          `count(${gauge('kinora_moderation_canary_blocked')} == 0) or vector(0)`,
          { thresholds: { warning: 1, critical: 1 } },
        ),
        number(
          'Overdue webhooks',
          's',
          'The longest time that an attempt is overdue.',
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
        lines('Errors by code', 'reqps', 'Errors in answers to clients, by their code in the API.', [
          { expr: `sum by (code) (${rate('kinora_http_errors_total')})`, legend: '{{code}}' },
        ]),
        lines('Latency', 's', 'Of all requests, with those that wait for the result of their job.', [
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
