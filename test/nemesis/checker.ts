import type { JobStatus } from '@kinora/contracts/jobs/job';
import {
  type Call,
  type History,
  type Rule,
  type SeenFault,
  type SeenJob,
  describe,
  foldBefore,
  groupBy,
  hasEnded,
  jobsAtRest,
  PATIENCE_MS,
  QUEUE_TIMEOUT_MS,
  RUN_TIMEOUT_MS,
} from './history';
import { MONEY_RULES } from './money-rules';
import { findUnfounded, isForbidden } from './refusals';
import type { Directive } from './swarm';

export interface Violation {
  rule: string;
  what: string;
}

/** Of a history that nothing could be read after, what has not come to rest is all there is to say. */
export function findViolations(history: History): Violation[] {
  const rules = Object.entries(RULES).filter(([rule]) => rule === AT_REST || history.rest.accounts.length > 0);
  return rules.flatMap(([rule, find]) => find(history).map((what) => ({ rule, what })));
}

const AT_REST = 'everything comes to rest';
/** The sweeps and the polls behind a deadline. */
const DEADLINE_SLACK_MS = 45_000;
/** By its event, also on a busy machine. Without the event, a sweep writes the webhook, every ten to twelve seconds. */
const WRITTEN_WITHIN_MS = 7_000;
const ON_THE_WAY_OF_EVENTS = /^(postgres|nats|n\d|jobs|webhook-dispatcher|stack)/;
/** Processes start again, connections are made again, and messages come again. */
const RECOVERED_WITHIN_MS = 15_000;
const RANK: Record<JobStatus, number> = { queued: 0, processing: 1, succeeded: 2, failed: 2, canceled: 2 };
/** One attempt, and its repeats after a loss, a failure and four processes that died. */
const MOST_RUNS = 7;
/** How the jobs of a directive may end where no client cancels them. */
const MUST_FAIL: readonly Directive[] = ['[[fail:error]]', '[[fail:corrupt]]', '[[fail:lost]]', '[[output:blocked]]'];

export const RULES: Record<string, Rule> = {
  'an answer is one that the operation allows': ({ calls }) =>
    calls.filter(isForbidden).map((call) => `${describe(call)} answered ${call.status} ${call.code}`),

  'an answer is described by the reference': ({ calls }) =>
    calls.flatMap((call) => call.differences.map((difference) => `${describe(call)}: ${difference}`)),

  'a refusal for money, slots, keys or strikes has its reason': (history) =>
    findUnfounded(history).map((call) => `${describe(call)}: ${call.code}`),

  'one key makes one job, of the first body': ({ calls, rest }) => {
    const keyed = calls.filter(({ creation }) => creation?.key);
    const jobsOf = jobsByTag(rest);
    return [...groupBy(keyed, ({ account, creation }) => `${account} ${creation?.key}`)].flatMap(([key, group]) => {
      const tags = new Set(group.map(({ creation }) => creation?.tag));
      const made = new Set(group.flatMap(({ jobs }) => jobs.map(({ id }) => id)));
      for (const tag of tags) for (const { id } of jobsOf(group[0]?.account, tag)) made.add(id);
      return made.size > 1 ? [`${key}: ${[...made].join(', ')}`] : [];
    });
  },

  'an answer shows the job of its own request': ({ calls }) =>
    calls
      .filter(({ creation, jobs: [job] }) => creation && job && job.tag !== '' && job.tag !== creation.tag)
      .map((call) => `${describe(call)} shows ${call.jobs[0]?.tag}`),

  'a request without a key makes at most one job, with all its repeats': ({ calls, rest }) => {
    const keyless = calls.filter(({ creation }) => creation?.key === null);
    const jobsOf = jobsByTag(rest);
    return [...groupBy(keyless, ({ account, creation }) => `${account} ${creation?.tag}`)].flatMap(([tag, group]) => {
      const made = jobsOf(group[0]?.account, group[0]?.creation?.tag);
      const most = group.filter((call) => !isRepeat(call, group)).length;
      return made.length > most ? [`${tag}: ${made.length} jobs of ${most} requests`] : [];
    });
  },

  'an accepted job exists': ({ calls, rest }) => {
    const known = rest.accounts.map(({ jobs }) => new Set(jobs.map(({ id }) => id)));
    return calls.flatMap((call) =>
      call.jobs.filter(({ id }) => !known[call.account]?.has(id)).map(({ id }) => `${describe(call)} showed ${id}`),
    );
  },

  'a creation that was refused charges nothing': ({ calls, rest }) => {
    const creations = calls.filter(({ creation }) => creation !== null);
    const jobsOf = jobsByTag(rest);
    return [...groupBy(creations, ({ account, creation }) => `${account} ${creation?.tag}`)]
      .filter(([, group]) =>
        group.every(({ status, creation }) => status !== null && status >= 400 && creation?.endpoint !== 'openai'),
      )
      .flatMap(([, [call]]) =>
        jobsOf(call?.account, call?.creation?.tag)
          .filter(({ chargedMicros }) => chargedMicros > 0)
          .map(({ id }) => `${call && describe(call)}: ${id}`),
      );
  },

  'a job has one end': (history) =>
    [...groupBy(sightings(history), ({ job }) => job.id)].flatMap(([id, seen]) => {
      const ends = new Set(
        seen.filter(({ job }) => hasEnded(job)).map(({ job }) => `${job.status} ${job.completedAtMs}`),
      );
      return ends.size > 1 ? [`${id}: ${[...ends].join(', ')}`] : [];
    }),

  'a state goes forward for every reader': (history) =>
    [...groupBy(sightings(history), ({ job }) => job.id)].flatMap(([id, seen]) => {
      const highestBefore = foldBefore(
        seen.map(({ toMs, job }) => [toMs, RANK[job.status]]),
        0,
        Math.max,
      );
      return seen
        .filter(({ fromMs, job }) => highestBefore(fromMs) > RANK[job.status])
        .map(({ job }) => `${id} was ${job.status} again`);
    }),

  'no account has more jobs at once than its limit': ({ plan, calls, rest }) =>
    rest.accounts.flatMap(({ jobs }, account) => {
      const set = calls
        .filter((call) => call.kind === 'limits' && call.account === account)
        .map(({ amount }) => amount);
      const most = Math.max(plan.accounts[account]?.maxConcurrentJobs ?? 0, ...set);
      const atOnce = mostInFlight(jobs);
      return atOnce > most ? [`account ${account} had ${atOnce} jobs at once, and may have ${most}`] : [];
    }),

  'a backend runs a job at most as often as it may': ({ plan, calls, backendRuns, rest }) => {
    const jobs = groupBy(jobsAtRest(rest.accounts), ({ tag }) => tag);
    const isQuiet = plan.faults.length === 0 && calls.every(({ answeredAtMs }) => answeredAtMs !== null);
    const directed = new Set(calls.flatMap(({ creation }) => (creation?.directive ? [creation.tag] : [])));
    return [...groupBy(backendRuns, ({ tag }) => tag)].flatMap(([tag, runs]) => {
      const tasks = new Set(runs.map(({ task }) => task)).size;
      const most = (jobs.get(tag)?.length ?? 0) * (isQuiet && !directed.has(tag) ? 1 : MOST_RUNS);
      return jobs.has(tag) && tasks > most ? [`${tag}: ${tasks} tasks`] : [];
    });
  },

  'a job ends as its backend ended it': ({ calls, rest }) => {
    const directives = new Map(calls.map(({ creation }) => [creation?.tag, creation?.directive]));
    return jobsAtRest(rest.accounts)
      .filter(({ status, tag }) => status === 'succeeded' && MUST_FAIL.includes(directives.get(tag) ?? ''))
      .map(({ id, tag }) => `${id} succeeded in spite of ${directives.get(tag)}`);
  },

  'a job has one event, signed, of its end': ({ deliveries, rest }) => {
    const jobs = new Map(jobsAtRest(rest.accounts).map((job) => [job.id, job]));
    const feed = new Map(
      rest.accounts.flatMap((account) => account.feed.map(({ eventId, jobId }) => [jobId, eventId])),
    );
    return deliveries
      .filter(
        ({ isSigned, job, type, eventId }) =>
          !isSigned || type !== `job.${jobs.get(job.id)?.status}` || eventId !== feed.get(job.id),
      )
      .map(
        ({ job, type, eventId, isSigned }) => `${job.id}: ${type} ${eventId}, ${isSigned ? 'signed' : 'not signed'}`,
      );
  },

  'a webhook is written soon after the end of its job, unless a fault delays it': ({ faults, rest }) =>
    rest.accounts.flatMap(({ deliveries, jobs }) => {
      const ends = new Map(jobs.map(({ id, completedAtMs }) => [id, completedAtMs]));
      return deliveries.flatMap(({ jobId, writtenAtMs }) => {
        const endedAtMs = ends.get(jobId) ?? Infinity;
        const lateMs = writtenAtMs - endedAtMs;
        const isExcused = lateMs <= WRITTEN_WITHIN_MS || faults.some((fault) => isFeltAt(fault, endedAtMs));
        return isExcused ? [] : [`${jobId}: ${lateMs} ms`];
      });
    }),

  'the feed has each ended job once, in one order': ({ calls, rest }) =>
    rest.accounts.flatMap(({ feed, jobs }, account) => {
      const ids = feed.map(({ jobId }) => jobId);
      const entriesOf = groupBy(ids, (id) => id);
      const missing = jobs.filter((job) => hasEnded(job) && entriesOf.get(job.id)?.length !== 1);
      const changed = calls.filter(
        (call) => call.account === account && call.feed.some((id, index) => ids[index] !== id),
      );
      return [...missing.map(({ id }) => `job ${id}`), ...changed.map((call) => `${describe(call)} had another order`)];
    }),

  'a receipt verifies and states the end': ({ rest }) =>
    rest.accounts.flatMap(({ receipts, jobs }) => {
      const receiptOf = new Map(receipts.map((receipt) => [receipt.jobId, receipt]));
      return jobs
        .filter(({ id, status, chargedMicros }) => {
          const receipt = receiptOf.get(id);
          return receipt?.outcome !== status || receipt.chargedMicros !== chargedMicros;
        })
        .map(({ id, status }) => `${id} (${status})`);
    }),

  'every output can be downloaded whole, with its credentials': ({ rest }) =>
    rest.accounts.flatMap(({ brokenFiles }) => brokenFiles),

  'a file in the store is one that a job shows, unless a fault or a lost answer has left it to the sweep': ({
    calls,
    faults,
    rest,
  }) => {
    const shown = new Set(rest.accounts.flatMap(({ files }) => files));
    const isExcused =
      faults.some(({ effects }) => effects > 0) ||
      calls.some(({ kind, status }) => kind === 'create' && (status === null || status === 503));
    return isExcused ? [] : rest.files.filter((key) => !shown.has(key));
  },

  'no job is older than its deadline': ({ rest }) =>
    jobsAtRest(rest.accounts)
      .filter(
        ({ createdAtMs, completedAtMs }) =>
          (completedAtMs ?? Infinity) - createdAtMs > QUEUE_TIMEOUT_MS + RUN_TIMEOUT_MS + DEADLINE_SLACK_MS,
      )
      .map(({ id, status }) => `${id} (${status})`),

  [AT_REST]: ({ rest }) => rest.unsettled,

  ...MONEY_RULES,
};

/** Whether a fault may delay the event of a job that has ended then, by the clock of the service, which is also that of this host. */
function isFeltAt({ group, target, atMs, endedAtMs }: SeenFault, epochMs: number): boolean {
  const { timeOrigin } = performance;
  // The other relay has the events of a stopped process once PostgreSQL has ended its transaction.
  const overMs = group === 'lease' ? atMs : endedAtMs;
  return (
    ON_THE_WAY_OF_EVENTS.test(target) &&
    timeOrigin + atMs < epochMs + WRITTEN_WITHIN_MS &&
    timeOrigin + overMs + RECOVERED_WITHIN_MS > epochMs
  );
}

interface Sighting {
  job: SeenJob;
  fromMs: number;
  toMs: number;
}

/** Every time that a client or a receiver has seen a job. An event shows the end; when it was read says nothing about a later state. */
function sightings({ calls, deliveries, rest }: History): Sighting[] {
  const read = calls.flatMap(({ jobs, invokedAtMs, answeredAtMs }) =>
    jobs.map((job) => ({ job, fromMs: invokedAtMs, toMs: answeredAtMs ?? Infinity })),
  );
  const received = deliveries.map(({ job, atMs }) => ({ job, fromMs: atMs, toMs: atMs }));
  const last = jobsAtRest(rest.accounts).map((job) => ({ job, fromMs: Infinity, toMs: Infinity }));
  return [...read, ...received, ...last];
}

/** The most jobs at one moment, by the clock of the service. At one time, ends come before beginnings. */
function mostInFlight(jobs: SeenJob[]): number {
  const changes = jobs.flatMap(({ createdAtMs, completedAtMs }) => [
    { atMs: createdAtMs, by: 1 },
    { atMs: completedAtMs ?? Infinity, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of changes.sort((one, other) =>
    one.atMs === other.atMs ? one.by - other.by : one.atMs < other.atMs ? -1 : 1,
  ))
    most = Math.max(most, (now += by));
  return most;
}

/** The jobs that an account has at rest of one tag. */
function jobsByTag({ accounts }: History['rest']): (account?: number, tag?: string) => SeenJob[] {
  const groups = accounts.map(({ jobs }) => groupBy(jobs, ({ tag }) => tag));
  return (account = 0, tag = '') => groups[account]?.get(tag) ?? [];
}

/** Whether this call is marked as the repeat of another one, which had ended before, and not by a failed job. */
function isRepeat(call: Call, group: Call[]): boolean {
  if (!call.creation?.isMarked) return false;
  const before = group.filter((one) => (one.answeredAtMs ?? one.invokedAtMs + PATIENCE_MS) < call.invokedAtMs);
  return before.length > 0 && !group.some(({ status }) => status !== null && [400, 409, 502].includes(status));
}
