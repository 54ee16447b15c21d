import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import { createBusyAccounts } from '../../bench/busy-accounts';
import { SMALL_MODEL } from '../../bench/bench-catalog';
import { type BenchStack } from '../../bench/bench-stack';
import { CRASHES, type Crash, type CrashingPostgres } from './crashing-postgres';
import { childrenOf, signal, stopAll } from './server-processes';

const CLIENTS = 16;
/** A crash comes this long after the first accept of its round at the latest: long enough for hundreds of accepts. */
const LOAD_MS = 250;
/** Accepted jobs that each round verifies: those of many rounds. The end verifies all. */
const RECENT = 5_000;
const LAST_STEPS_MS = 20;
/** A machine that is busy with other work needs a minute. */
const BACK_WITHIN_MS = 300_000;

/** Jobs without what must exist before them, and accepted jobs ($1) that do not exist. */
const FIND_BROKEN = `
  SELECT 'a job without a hold: ' || id AS problem FROM jobs.job
   WHERE id > $2 AND NOT EXISTS (SELECT FROM billing.hold WHERE job_id = job.id AND amount_micros = job.price_micros)
  UNION ALL
  SELECT 'a job without a passed decision: ' || id FROM jobs.job
   WHERE id > $2
     AND NOT EXISTS (SELECT FROM moderation.decision WHERE id = input_decision_id AND job_id = job.id AND verdict = 'passed')
  UNION ALL
  SELECT 'an accepted job that is lost: ' || accepted.id FROM unnest($1::uuid[]) AS accepted (id)
   WHERE NOT EXISTS (SELECT FROM jobs.job WHERE job.id = accepted.id)`;
/** Reserves whose jobs were never stored, also in a crash; older than the longest creation that is under way. */
const COUNT_ORPHANS = `
  SELECT count(*)::integer AS count FROM billing.hold
   WHERE created_at < now() - interval '5 seconds' AND NOT EXISTS (SELECT FROM jobs.job WHERE id = job_id)`;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Requests that wait in a paused process go on after the crash, with proofs of the run that has ended. The broker keeps answers
 * of billing and moderation; jobs then has new connections already.
 */
type Pause = 'none' | 'jobs' | 'nats-server';
const PAUSES: readonly Pause[] = ['none', 'jobs', 'nats-server', 'nats-server'];

export interface RoundsReport {
  rounds: Record<Crash, number>;
  /** Rounds in which a process was paused from before the crash until the server was back. */
  paused: Record<Pause, number>;
  accepted: number;
  /** Holds whose jobs were never stored, before the sweep refunds them. */
  orphanHolds: number;
  /** Bytes of write-ahead log that power cuts have removed. */
  lostBytes: number;
  problems: string[];
}

/**
 * Creates jobs over HTTP without a pause, while PostgreSQL crashes at random moments and starts again. After each crash, no job
 * may lack its hold or its decision, and no accepted job may be lost.
 */
export class CommitRounds {
  private readonly accepted: string[] = [];
  private roundAccepted: string[] = [];
  private stopping = false;
  readonly report: RoundsReport = {
    rounds: { backend: 0, server: 0, power: 0 },
    paused: { none: 0, jobs: 0, 'nats-server': 0 },
    accepted: 0,
    orphanHolds: 0,
    lostBytes: 0,
    problems: [],
  };

  constructor(
    private readonly stack: BenchStack,
    private readonly postgres: CrashingPostgres,
  ) {}

  /** @param onRound is called after each round. */
  async run(rounds: number, onRound: (report: RoundsReport) => void = () => undefined): Promise<RoundsReport> {
    const { base_url, nats_url } = await this.stack.describe();
    const [apiKey = ''] = await createBusyAccounts(nats_url, 1);
    const clients = Array.from({ length: CLIENTS }, () => this.createJobs(`${base_url}/images/generations`, apiKey));
    try {
      for (let round = 0; round < rounds && this.report.problems.length === 0; round++) {
        const pause = PAUSES[Math.floor(Math.random() * PAUSES.length)] as Pause;
        await this.crashOnce(CRASHES[round % CRASHES.length] as Crash, pause);
        onRound(this.report);
      }
    } finally {
      this.stopping = true;
      await Promise.all(clients);
    }
    if (this.report.problems.length === 0) await this.compare(this.accepted, FIRST_ID);
    return this.report;
  }

  private async crashOnce(kind: Crash, pause: Pause): Promise<void> {
    this.roundAccepted = [];
    await waitFor(() => this.roundAccepted.length > 0, { timeoutMs: BACK_WITHIN_MS });
    await delay(Math.random() * LOAD_MS);
    const monitor = await this.postgres.connect();
    const paused = await this.findPid(pause);
    if (paused !== undefined) await stopAll([paused]);
    try {
      // The requests of this moment go on, as far as they come without the paused process.
      if (paused !== undefined) await delay(Math.random() * LAST_STEPS_MS);
      await this.postgres.crash(kind, monitor);
      if (kind !== 'backend') await this.postgres.start();
      await this.untilBack();
    } finally {
      if (paused !== undefined) signal(paused, 'SIGCONT');
    }
    await this.verify();
    this.report.rounds[kind] += 1;
    this.report.paused[pause] += 1;
    this.report.lostBytes = this.postgres.lostBytes;
  }

  private async findPid(pause: Pause): Promise<number | undefined> {
    const { pid, processes } = await this.stack.describe();
    if (pause === 'nats-server') return (await childrenOf(pid)).find(({ name }) => name === pause)?.pid;
    return pause === 'none' ? undefined : processes[pause]?.pid;
  }

  private async untilBack(): Promise<void> {
    const connected = async (): Promise<boolean> =>
      this.postgres.connect().then(
        (client) => client.end().then(() => true),
        () => false,
      );
    await waitFor(connected, { timeoutMs: BACK_WITHIN_MS });
  }

  private async verify(): Promise<void> {
    this.roundAccepted = [];
    await waitFor(() => this.roundAccepted.length > 0, { timeoutMs: BACK_WITHIN_MS });
    const recent = this.accepted.slice(-RECENT);
    await this.compare(recent, recent[0] ?? FIRST_ID);
    this.report.accepted = this.accepted.length;
  }

  /** @param after the first job to look at. */
  private async compare(accepted: string[], after: string): Promise<void> {
    const client = await this.postgres.connect();
    try {
      const broken = await client.query<{ problem: string }>(FIND_BROKEN, [accepted, after]);
      this.report.problems.push(...broken.rows.map(({ problem }) => problem));
      const orphans = await client.query<{ count: number }>(COUNT_ORPHANS);
      this.report.orphanHolds = Math.max(this.report.orphanHolds, orphans.rows[0]?.count ?? 0);
    } finally {
      await client.end();
    }
  }

  private async createJobs(url: string, apiKey: string): Promise<void> {
    // A long run, so that few jobs are dispatched: their commits would flush those of the creations.
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: SMALL_MODEL, prompt: '[[delay:55s]] a lake' });
    while (!this.stopping) {
      const response = await fetch(url, { method: 'POST', headers, body });
      const job = (await response.json()) as Job;
      if (response.status === 202 || response.status === 200) {
        this.accepted.push(job.id);
        this.roundAccepted.push(job.id);
      } else if (response.status === 503) await delay(5);
      else this.report.problems.push(`POST answered ${response.status}: ${JSON.stringify(job)}`);
    }
  }
}
