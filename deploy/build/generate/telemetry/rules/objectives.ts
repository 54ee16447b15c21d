import { type Alert, HERE, type Recording, type RuleGroup } from './rule';

/** An objective: a share of good events over thirty days. */
interface Objective {
  /** Used in names of rules: `creation_availability`. */
  name: string;
  alert: string;
  /** The share of events that must be good. */
  target: number;
  /** The rates of bad events and of all events over a window. */
  bad: (window: string) => string;
  all: (window: string) => string;
  promise: string;
  runbook: string[];
}

const CREATIONS = `${HERE}, method="POST", route=~"/v1/(images|videos)/(generations|edits)"`;

const rate = (series: string, window: string): string => `sum(rate(${series}[${window}]))`;

/** The rate above a limit: all observations, without the bucket of those within the limit. */
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
    promise: '99.9% of the requests that create a job are answered without a 500 or 503',
    runbook: [
      'Find the code on the dashboard _Kinora_. `internal_error` is a bug: its stack is in the log of the failing service (`request_failed`, `bus_handler_failed`). `capacity` is a component that did not answer, or a full queue.',
      'For `capacity`: find the failing subject under _Failing handlers_ on the dashboard _Runtime_, then check that service. Is it running, is its pool exhausted, is its database or the broker away? A queue at its `max_backlog` needs more compute, or a larger limit in the catalog.',
    ],
  },
  {
    name: 'creation_latency',
    alert: 'KinoraCreationSlow',
    target: 0.99,
    ...slowerThan('kinora_job_acceptance_duration_seconds', HERE, '1'),
    promise: '99% of the accepted jobs are accepted within a second',
    runbook: [
      'Follow the time through the hops on the dashboard _Runtime_. Start with the slowest of `billing.v1.admit`, `jobs.v1.create`, `moderation.v1.screen_input` and `billing.v1.reserve`. Event loops and pools of its service are on the same dashboard.',
      'The time before that in the gateway (reading a large body, fetching an image by URL) is not counted, and neither is the wait for the result of a model with `sync_wait_ms`: see _Latency_ on the dashboard _Kinora_.',
    ],
  },
  {
    name: 'job_start',
    alert: 'KinoraJobsStartLate',
    target: 0.95,
    ...slowerThan('kinora_job_start_seconds', HERE, '60'),
    promise: '95% of the jobs start within a minute of their acceptance',
    runbook: [
      'The dashboard _Jobs and providers_ shows which models have waiting jobs. A provider with as many tasks as its `concurrency` allows, or one more than its server works on, needs more instances. If it has fewer tasks, check whether its circuit breaker is open, and run `kinora doctor`.',
      'If no provider has problems, check that a process with the role `runner` is running and that its event loop keeps up.',
    ],
  },
  {
    name: 'webhook_delivery',
    alert: 'KinoraWebhooksLate',
    target: 0.99,
    ...slowerThan('kinora_webhook_first_attempt_delay_seconds', HERE, '10'),
    promise: '99% of the webhooks are attempted within ten seconds of the end of their job',
    runbook: [
      'Receivers that hang are limited to few slots, so a single one is not the cause: `kinora webhook endpoints` names the failing ones. Check on the dashboard _Webhooks_ whether deliveries are overdue. If so, the dispatcher needs more replicas, or billing does not return the secrets (`webhook_secrets_missing` in its log).',
      'If nothing is overdue, the events came late: check the outbox of jobs and the pending events on the dashboard _Runtime_.',
    ],
  },
];

/** Burn rates at which a budget of thirty days is used up in two days, in five, or in thirty. */
const BURN_RATES = [
  { factor: 14.4, long: '1h', short: '5m', severity: 'critical' },
  { factor: 6, long: '6h', short: '30m', severity: 'critical' },
  { factor: 1, long: '3d', short: '6h', severity: 'warning' },
] as const;

const WINDOWS = [...new Set(BURN_RATES.flatMap(({ long, short }) => [short, long]))];

const recordOf = (name: string, window: string): string => `kinora:${name}:bad_ratio_rate${window}`;

/** The share of bad events, over every window that an alert uses. */
function recordings({ name, bad, all }: Objective): Recording[] {
  return WINDOWS.map((window) => ({ record: recordOf(name, window), expr: `${bad(window)} / (${all(window)} > 0)` }));
}

/** The long window shows that the loss is large, the short one that it continues. */
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
      summary: `The objective is being missed quickly: ${promise}.`,
      runbook,
    },
    {
      name: `${alert}Slowly`,
      expr: burning('warning'),
      for: '1h',
      severity: 'warning',
      summary: `The objective will be missed this month: ${promise}.`,
      runbook: [`As for [${alert}](#${alert.toLowerCase()}), but less urgent: the loss has continued for days.`],
    },
  ];
}

export const OBJECTIVE_GROUPS: RuleGroup[] = [
  { name: 'kinora-objectives', rules: OBJECTIVES.flatMap(recordings) },
  { name: 'kinora-objective-alerts', rules: OBJECTIVES.flatMap(alertsOf) },
];
