import { type Dashboard, gauge, lines, number, quantile, rate } from './panel';

const ATTEMPTS = 'kinora_webhook_attempt_duration_seconds';
const DELAY = 'kinora_webhook_first_attempt_delay_seconds';

export const WEBHOOKS: Dashboard = {
  uid: 'kinora-webhooks',
  title: 'Kinora: webhooks',
  description: 'Webhook deliveries: number, delay and answers of receivers.',
  rows: [
    {
      title: 'Deliveries',
      panels: [
        number(
          'Overdue',
          's',
          'The longest time that an attempt is overdue.',
          `max(${gauge('kinora_webhook_overdue_seconds')})`,
          { width: 6, thresholds: { warning: 10, critical: 120 } },
        ),
        number(
          'Pending',
          'none',
          'Due, or waiting for a retry.',
          `max(${gauge('kinora_webhook_deliveries_pending')})`,
          { width: 6 },
        ),
        number(
          'Oldest pending',
          's',
          'Retries continue for about nine hours.',
          `max(${gauge('kinora_webhook_oldest_pending_age_seconds')})`,
          { width: 6 },
        ),
        number(
          'First attempts within 10 s',
          'percentunit',
          'The objective is 99%.',
          `sum(${rate(`${DELAY}_bucket`, 'le="10"')}) / (sum(${rate(`${DELAY}_count`)}) > 0)`,
          { width: 6 },
        ),
        lines('Attempts', 'ops', 'Per second, by outcome.', [
          { expr: `sum by (outcome) (${rate(`${ATTEMPTS}_count`)})`, legend: '{{outcome}}' },
        ]),
        lines('Latency of receivers', 's', 'Time until the receiver answers or the attempt times out.', [
          { expr: quantile(0.5, ATTEMPTS), legend: 'median' },
          { expr: quantile(0.99, ATTEMPTS), legend: '99%' },
        ]),
        lines('Delay of the first attempt', 's', 'From the end of the job.', [
          { expr: quantile(0.5, DELAY), legend: 'median' },
          { expr: quantile(0.99, DELAY), legend: '99%' },
        ]),
        lines('Deliveries that ended', 'ops', 'Per second: delivered, or exhausted after the last retry.', [
          { expr: `sum by (status) (${rate('kinora_webhook_deliveries_ended_total')})`, legend: '{{status}}' },
        ]),
      ],
    },
  ],
};
