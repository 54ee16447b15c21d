import { isInFlight, type JobStatus } from '@kinora/contracts/jobs/job';
import {
  type Call,
  type History,
  type RestingAccount,
  type SeenJob,
  hasEnded,
  priceOf,
  sum,
  QUEUE_TIMEOUT_MS,
  RUN_TIMEOUT_MS,
} from './history';
import { isForbidden, isUnfounded } from './refusals';
import type { Directive } from './swarm';

/** A statement about every history; a rule names each place where this one contradicts it. */
type Rule = (history: History) => string[];

export interface Violation {
  rule: string;
  what: string;
}

export function findViolations(history: History): Violation[] {
  return Object.entries(RULES).flatMap(([rule, find]) => find(history).map((what) => ({ rule, what })));
}

/** The sweeps and the polls behind a deadline. */
const DEADLINE_SLACK_MS = 45_000;
const RANK: Record<JobStatus, number> = { queued: 0, processing: 1, succeeded: 2, failed: 2, canceled: 2 };
/** How the jobs of a directive may end where no client cancels them. */
const MUST_FAIL: readonly Directive[] = ['[[fail:error]]', '[[fail:corrupt]]', '[[fail:lost]]', '[[output:blocked]]'];

const RULES: Record<string, Rule> = {
  'an answer is one that the operation allows': ({ calls }) =>
    calls.filter(isForbidden).map((call) => `${describe(call)} answered ${call.status} ${call.code}`),

  'an answer is described by the reference': ({ calls }) =>
    calls.flatMap((call) => call.differences.map((difference) => `${describe(call)}: ${difference}`)),

  'a refusal for money, slots, keys or strikes has its reason': (history) =>
    history.calls.filter((call) => isUnfounded(call, history)).map((call) => `${describe(call)}: ${call.code}`),

  'one key makes one job, of the first body': ({ calls, rest }) => {
    const keyed = calls.filter(({ creation }) => creation?.key);
    return [...groupBy(keyed, ({ account, creation }) => `${account} ${creation?.key}`)].flatMap(([key, group]) => {
      const tags = new Set(group.map(({ creation }) => creation?.tag));
      const account = rest.accounts[group[0]?.account ?? 0];
      const made = new Set(group.flatMap(({ jobs }) => jobs.map(({ id }) => id)));
      for (const job of account?.jobs ?? []) if (tags.has(job.tag)) made.add(job.id);
      return made.size > 1 ? [`${key}: ${[...made].join(', ')}`] : [];
    });
  },

  'an answer shows the job of its own request': ({ calls }) =>
    calls
      .filter(({ creation, jobs: [job] }) => creation && job && job.tag !== '' && job.tag !== creation.tag)
      .map((call) => `${describe(call)} shows ${call.jobs[0]?.tag}`),

  'a request without a key makes at most one job': ({ calls, rest }) => {
    const tags = calls
      .filter(({ creation }) => creation?.key === null)
      .map(({ account, creation }) => ({ account, tag: creation?.tag }));
    return tags
      .filter(({ account, tag }) => (rest.accounts[account]?.jobs ?? []).filter((job) => job.tag === tag).length > 1)
      .map(({ tag }) => `${tag}`);
  },

  'an accepted job exists': ({ calls, rest }) =>
    calls.flatMap((call) => {
      const known = new Set(rest.accounts[call.account]?.jobs.map(({ id }) => id));
      return call.jobs.filter(({ id }) => !known.has(id)).map(({ id }) => `${describe(call)} showed ${id}`);
    }),

  'a creation that was refused charges nothing': ({ calls, rest }) =>
    [
      ...groupBy(
        calls.filter(({ creation }) => creation !== null),
        ({ account, creation }) => `${account} ${creation?.tag}`,
      ),
    ]
      .filter(([, group]) =>
        group.every(({ status, creation }) => status !== null && status >= 400 && creation?.endpoint !== 'openai'),
      )
      .flatMap(([, [call]]) => {
        const jobs = rest.accounts[call?.account ?? 0]?.jobs.filter(({ tag }) => tag === call?.creation?.tag) ?? [];
        return jobs
          .filter(({ chargedMicros }) => chargedMicros > 0)
          .map(({ id }) => `${call && describe(call)}: ${id}`);
      }),

  'a job has one end': (history) =>
    [...groupBy(sightings(history), ({ job }) => job.id)].flatMap(([id, seen]) => {
      const ends = new Set(
        seen.filter(({ job }) => hasEnded(job)).map(({ job }) => `${job.status} ${job.completedAtMs}`),
      );
      return ends.size > 1 ? [`${id}: ${[...ends].join(', ')}`] : [];
    }),

  'a state goes forward for every reader': (history) =>
    [...groupBy(sightings(history), ({ job }) => job.id)].flatMap(([id, seen]) =>
      seen
        .filter(({ fromMs, job }) =>
          seen.some((other) => other.toMs < fromMs && RANK[other.job.status] > RANK[job.status]),
        )
        .map(({ job }) => `${id} was ${job.status} again`),
    ),

  'no account has more jobs at once than its limit': ({ plan, calls, rest }) =>
    rest.accounts.flatMap(({ jobs }, account) => {
      const set = calls
        .filter((call) => call.kind === 'limits' && call.account === account)
        .map(({ amount }) => amount);
      const most = Math.max(plan.accounts[account]?.maxConcurrentJobs ?? 0, ...set);
      const atOnce = Math.max(
        0,
        ...jobs.map((job) => jobs.filter((other) => isInFlightAt(other, job.createdAtMs)).length),
      );
      return atOnce > most ? [`account ${account} had ${atOnce} jobs at once, and may have ${most}`] : [];
    }),

  'a job is charged if and only if it is delivered': ({ calls, rest }) => {
    const prices = new Map(calls.map(({ creation }) => [creation?.tag, creation ? priceOf(creation) : 0]));
    return jobsAtRest(rest.accounts)
      .filter(({ status, chargedMicros, outputs, tag }) =>
        status === 'succeeded'
          ? outputs === 0 || chargedMicros !== (prices.get(tag) ?? chargedMicros)
          : chargedMicros !== 0 || outputs !== 0,
      )
      .map(({ id, status, chargedMicros, outputs }) => `${id}: ${status}, ${chargedMicros} micros, ${outputs} outputs`);
  },

  'a job ends as its backend ended it': ({ calls, rest }) => {
    const directives = new Map(calls.map(({ creation }) => [creation?.tag, creation?.directive]));
    return jobsAtRest(rest.accounts)
      .filter(({ status, tag }) => status === 'succeeded' && MUST_FAIL.includes(directives.get(tag) ?? ''))
      .map(({ id, tag }) => `${id} succeeded in spite of ${directives.get(tag)}`);
  },

  'money is conserved': ({ plan, calls, rest }) =>
    rest.accounts.flatMap(({ balanceMicros, jobs }, account) => {
      const paid = sum(topUps(calls, account, ({ status }) => status === 200));
      const expected =
        (plan.accounts[account]?.balanceMicros ?? 0) + paid - sum(jobs.map(({ chargedMicros }) => chargedMicros));
      return balanceMicros === expected
        ? []
        : [`account ${account} has ${balanceMicros} micros instead of ${expected}`];
    }),

  'a balance stays within what was paid and asked for': ({ plan, calls }) =>
    calls.flatMap((call) => {
      const { account, balanceMicros } = call;
      if (balanceMicros === null) return [];
      const opening = plan.accounts[account]?.balanceMicros ?? 0;
      const most = opening + sum(topUps(calls, account, ({ invokedAtMs }) => invokedAtMs < (call.answeredAtMs ?? 0)));
      const paid = topUps(
        calls,
        account,
        ({ answeredAtMs }) => answeredAtMs !== null && answeredAtMs < call.invokedAtMs,
      );
      const asked = calls.filter(
        (one) => one.account === account && one.creation && one.invokedAtMs < (call.answeredAtMs ?? 0),
      );
      const least = Math.max(
        0,
        opening + sum(paid) - sum(asked.map(({ creation }) => (creation ? priceOf(creation) : 0))),
      );
      return balanceMicros < least || balanceMicros > most
        ? [`${describe(call)}: ${balanceMicros}, not ${least} to ${most}`]
        : [];
    }),

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

  'the feed has each ended job once, in one order': ({ calls, rest }) =>
    rest.accounts.flatMap(({ feed, jobs }, account) => {
      const ids = feed.map(({ jobId }) => jobId);
      const missing = jobs.filter((job) => hasEnded(job) && ids.filter((id) => id === job.id).length !== 1);
      const changed = calls.filter(
        (call) => call.account === account && call.feed.some((id, index) => ids[index] !== id),
      );
      return [...missing.map(({ id }) => `job ${id}`), ...changed.map((call) => `${describe(call)} had another order`)];
    }),

  'a receipt verifies and states the end': ({ rest }) =>
    rest.accounts.flatMap(({ receipts, jobs }) =>
      jobs
        .filter((job) => {
          const receipt = receipts.find(({ jobId }) => jobId === job.id);
          return receipt?.outcome !== job.status || receipt.chargedMicros !== job.chargedMicros;
        })
        .map(({ id, status }) => `${id} (${status})`),
    ),

  'every output can be downloaded whole, with its credentials': ({ rest }) =>
    rest.accounts.flatMap(({ brokenFiles }) => brokenFiles),

  'no job is older than its deadline': ({ rest }) =>
    jobsAtRest(rest.accounts)
      .filter(
        ({ createdAtMs, completedAtMs }) =>
          (completedAtMs ?? Infinity) - createdAtMs > QUEUE_TIMEOUT_MS + RUN_TIMEOUT_MS + DEADLINE_SLACK_MS,
      )
      .map(({ id, status }) => `${id} (${status})`),

  'everything comes to rest': ({ rest }) => rest.unsettled,
};

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

/** By the clock of the service. */
function isInFlightAt({ createdAtMs, completedAtMs }: SeenJob, atMs: number): boolean {
  return createdAtMs <= atMs && (completedAtMs ?? Infinity) > atMs;
}

function jobsAtRest(accounts: RestingAccount[]): SeenJob[] {
  return accounts.flatMap(({ jobs }) => jobs).filter(({ status }) => !isInFlight(status));
}

/** The amounts of an account's top-ups, each once: a repeat has the reference of the first. */
function topUps(calls: Call[], account: number, counts: (call: Call) => boolean): number[] {
  const chosen = calls.filter((call) => call.kind === 'top_up' && call.account === account && counts(call));
  return [...new Map(chosen.map(({ operation, amount }) => [operation, amount])).values()];
}

function describe({ operation, kind, account }: Call): string {
  return `operation ${operation} (${kind}, account ${account})`;
}

function groupBy<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
