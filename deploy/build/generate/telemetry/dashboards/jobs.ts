import { type Dashboard, gauge, lines, quantile, rate } from './panel';

const CALLS = 'kinora_provider_call_duration_seconds';

export const JOBS: Dashboard = {
  uid: 'kinora-jobs',
  title: 'Kinora: jobs and providers',
  description: 'Queued and running jobs, and their providers.',
  rows: [
    {
      title: 'Jobs',
      panels: [
        lines('Accepted', 'ops', 'Jobs per second, by model.', [
          { expr: `sum by (model) (${rate('kinora_jobs_accepted_total')})`, legend: '{{model}}' },
        ]),
        lines(
          'In flight',
          'none',
          'By model and status.',
          [{ expr: `max by (model, status) (${gauge('kinora_jobs_in_flight')})`, legend: '{{model}} {{status}}' }],
          { stacked: true },
        ),
        lines(
          'Oldest queued',
          's',
          'How long a job has waited for its model.',
          [{ expr: `max by (model) (${gauge('kinora_jobs_oldest_queued_age_seconds')})`, legend: '{{model}}' }],
          { thresholds: { warning: 60, critical: 600 } },
        ),
        lines(
          'Queue timeout used',
          'percentunit',
          'The largest share of its queue timeout that a waiting job has used; at 1 it fails.',
          [{ expr: `max by (model) (${gauge('kinora_jobs_queue_timeout_used_ratio')})`, legend: '{{model}}' }],
          { thresholds: { warning: 0.5, critical: 0.9 } },
        ),
        lines('Failures', 'ops', 'Jobs per second that failed, by error.', [
          { expr: `sum by (error) (${rate('kinora_jobs_ended_total', 'status="failed"')})`, legend: '{{error}}' },
        ]),
        lines('Time to start', 's', 'From acceptance; 95%, by model.', [
          { expr: quantile(0.95, 'kinora_job_start_seconds', ['model']), legend: '{{model}}' },
        ]),
        lines('Time to the end', 's', 'From acceptance; 95% of those that succeeded, by model.', [
          { expr: quantile(0.95, 'kinora_job_duration_seconds', ['model'], 'status="succeeded"'), legend: '{{model}}' },
        ]),
        lines('Not settled', 'none', 'Ended jobs whose money billing has not acknowledged.', [
          { expr: `max(${gauge('kinora_jobs_unsettled')})`, legend: 'jobs' },
          { expr: `max(${gauge('kinora_jobs_oldest_unsettled_age_seconds')})`, legend: 'oldest, seconds' },
        ]),
        lines('GPU time', 'short', 'GPU seconds per second reported by providers, by model: the number of busy GPUs.', [
          { expr: `sum by (model) (${rate('kinora_job_gpu_seconds_total')})`, legend: '{{model}}' },
        ]),
      ],
    },
    {
      title: 'Providers',
      panels: [
        lines('Tasks and room', 'none', 'Tasks under way, and the limit of each provider.', [
          { expr: `max by (provider) (${gauge('kinora_provider_tasks')})`, legend: '{{provider}}' },
          { expr: `max by (provider) (${gauge('kinora_provider_concurrency')})`, legend: '{{provider}} at most' },
        ]),
        lines('Attempts', 'ops', 'Ended attempts per second, by outcome.', [
          {
            expr: `sum by (provider, outcome) (${rate('kinora_provider_attempts_total')})`,
            legend: '{{provider}} {{outcome}}',
          },
        ]),
        lines('Open circuit breakers', 'none', 'Processes that do not send jobs to the provider.', [
          { expr: `sum by (provider) (${gauge('kinora_provider_breaker_open')})`, legend: '{{provider}}' },
        ]),
        lines('Calls', 'ops', 'Per second, by operation and outcome.', [
          {
            expr: `sum by (provider, operation, outcome) (${rate(`${CALLS}_count`)})`,
            legend: '{{provider}} {{operation}} {{outcome}}',
          },
        ]),
        lines('Latency of calls', 's', '95%, by operation.', [
          { expr: quantile(0.95, CALLS, ['provider', 'operation']), legend: '{{provider}} {{operation}}' },
        ]),
        lines('Callbacks', 'ops', 'Per second, by outcome.', [
          {
            expr: `sum by (provider, outcome) (${rate('kinora_provider_callbacks_total')})`,
            legend: '{{provider}} {{outcome}}',
          },
        ]),
      ],
    },
  ],
};
