import { type Alert, HERE, type Recording, type RuleGroup } from './rule';

/** A promise about a share of what happens, over thirty days. */
interface Objective {
  /** In names of rules: `creation_availability`. */
  name: string;
  alert: string;
  /** The share that must be good. */
  target: number;
  /** What went wrong, and all of it, per second over a window. */
  bad: (window: string) => string;
  all: (window: string) => string;
  promise: string;
  runbook: string[];
}

const CREATIONS = `${HERE}, method="POST", route=~"/v1/(images|videos)/(generations|edits)"`;

const rate = (series: string, window: string): string => `sum(rate(${series}[${window}]))`;

/** The share above a bound: all that was observed, without the bucket of what lies within. */
function slowerThan(histogram: string, labels: string, bound: string) {
  const all = (window: string): string => rate(`${histogram}_count{${labels}}`, window);
  const within = (window: string): string => rate(`${histogram}_bucket{${labels}, le="${bound}"}`, window);
  return { all, bad: (window: string) => `(${all(window)} - ${within(window)})` };
}

export const OBJECTIVES: Objective[] = [
  {
    name: 'creation_availability',
    alert: 'KinoraCreationUnavailable',
    target: 0.999,
    bad: (window) =>
      `(${rate(`kinora_http_request_duration_seconds_count{${CREATIONS}, status="5xx"}`, window)} or vector(0))`,
    all: (window) => rate(`kinora_http_request_duration_seconds_count{${CREATIONS}}`, window),
    promise: '99.9% of the requests that create a job are answered otherwise than by 500 or 503',
    runbook: [
      'See which code it is on the dashboard _Kinora_: `internal_error` is a mistake of ours, with a stack in the log of the service that made it (`request_failed`, `bus_handler_failed`); `capacity` is a part that did not answer, or a queue that is full.',
      'For `capacity`: look at _Handlers that fail_ on the dashboard _Runtime_ for the subject that fails, then at that service: is it there, is its pool exhausted, is its database or the broker away? A queue at its `max_backlog` needs more compute, or a larger bound in the catalog.',
    ],
  },
  {
    name: 'creation_latency',
    alert: 'KinoraCreationSlow',
    target: 0.99,
    ...slowerThan('kinora_job_acceptance_duration_seconds', HERE, '1'),
    promise: '99% of the jobs that are accepted are accepted within a second',
    runbook: [
      'Follow the time through the hops on the dashboard _Runtime_: the slowest of `billing.v1.admit`, `jobs.v1.create`, `moderation.v1.screen_input` and `billing.v1.reserve` is where to look. Event loops and pools of its service stand beside.',
      'What the gateway takes before (reading a large body, fetching a picture that is named by URL) and what a model of `sync_wait_ms` makes its clients wait for the result is not counted: see _Latency_ on the dashboard _Kinora_.',
    ],
  },
  {
    name: 'job_start',
    alert: 'KinoraJobsStartLate',
    target: 0.95,
    ...slowerThan('kinora_job_start_seconds', HERE, '60'),
    promise: '95% of the jobs start within a minute of their acceptance',
    runbook: [
      'The dashboard _Jobs and providers_ shows which models wait. Where the provider has as many tasks as its `concurrency` allows, or one more than its server works on, it needs more instances. Where it has fewer, see whether its breaker is open, and ask it: `kinora doctor`.',
      'Where no provider is in trouble, see that a process with the role `runner` is there and that its event loop keeps up.',
    ],
  },
  {
    name: 'webhook_delivery',
    alert: 'KinoraWebhooksLate',
    target: 0.99,
    ...slowerThan('kinora_webhook_first_attempt_delay_seconds', HERE, '10'),
    promise: '99% of the webhooks are attempted within ten seconds of the end of their job',
    runbook: [
      'Receivers that hang are kept to few slots, so one of them is not the cause: `kinora webhook endpoints` names those that fail. See on the dashboard _Webhooks_ whether deliveries are overdue; then the dispatcher needs more replicas, or billing does not answer for the secrets (`webhook_secrets_missing` in its log).',
      'Where nothing is overdue, the events came late: see the outbox of jobs and the pending events on the dashboard _Runtime_.',
    ],
  },
];

/** A budget of thirty days that is spent so fast is gone in two days, in five, or in thirty. */
const BURN_RATES = [
  { factor: 14.4, long: '1h', short: '5m', severity: 'critical' },
  { factor: 6, long: '6h', short: '30m', severity: 'critical' },
  { factor: 1, long: '3d', short: '6h', severity: 'warning' },
] as const;

const WINDOWS = [...new Set(BURN_RATES.flatMap(({ long, short }) => [short, long]))];

const recordOf = (name: string, window: string): string => `kinora:${name}:bad_ratio_rate${window}`;

/** The share that went wrong, over every window that an alert looks at. */
function recordings({ name, bad, all }: Objective): Recording[] {
  return WINDOWS.map((window) => ({ record: recordOf(name, window), expr: `${bad(window)} / (${all(window)} > 0)` }));
}

/** The long window says that it matters, the short one that it still goes on. */
function alertsOf({ name, alert, target, promise, runbook }: Objective): Alert[] {
  const budget = Number((1 - target).toFixed(6));
  const burning = (severity: Alert['severity']): string =>
    BURN_RATES.filter((burn) => burn.severity === severity)
      .map(({ factor, long, short }) => {
        const limit = Number((factor * budget).toFixed(6));
        return `(${recordOf(name, long)} > ${limit} and ${recordOf(name, short)} > ${limit})`;
      })
      .join(' or ');
  return [
    {
      name: alert,
      expr: burning('critical'),
      for: '2m',
      severity: 'critical',
      summary: `The objective is being missed fast: ${promise}.`,
      runbook,
    },
    {
      name: `${alert}Slowly`,
      expr: burning('warning'),
      for: '1h',
      severity: 'warning',
      summary: `The objective will be missed this month: ${promise}.`,
      runbook: [`As for [${alert}](#${alert.toLowerCase()}), without haste: it has gone on for days.`],
    },
  ];
}

export const OBJECTIVE_GROUPS: RuleGroup[] = [
  { name: 'kinora-objectives', rules: OBJECTIVES.flatMap(recordings) },
  { name: 'kinora-objective-alerts', rules: OBJECTIVES.flatMap(alertsOf) },
];
