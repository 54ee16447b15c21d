import { execFile } from 'node:child_process';
import path from 'node:path';
import { Client } from 'pg';
import type { CreatedAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import type { PrivateJsonFile } from '../private-json-file';
import type { Stack } from '../stack-file';
import { StartProblem } from '../start-problem';
import { waitUntil } from '../wait-until';
import { ACCOUNTS, FAILING_RECEIVER, JOBS, type SeedAccount, type SeedJob } from './seed-plan';

/**
 * The pause before an attempt is a minute or longer, and the lease of a running attempt is half a minute: an attempt that runs
 * stays untouched.
 */
const MAKE_DUE = `
  UPDATE webhook_dispatcher.delivery SET next_attempt_at = clock_timestamp()
  WHERE job_id = $1 AND status = 'pending' AND next_attempt_at > clock_timestamp() + interval '45 seconds'`;
const FIND_EXHAUSTED = `SELECT FROM webhook_dispatcher.delivery WHERE job_id = $1 AND status = 'exhausted'`;

/**
 * Makes each attempt of a job's delivery due at once, until the dispatcher has made all of them and given up. On its own
 * schedule this takes 8 h 36 min, and no setting shortens that schedule.
 * @throws StartProblem if the delivery is not exhausted in time, for example because its receiver answers.
 */
export async function exhaustDelivery(databaseUrl: string, jobId: string, timeoutMs: number): Promise<void> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const isExhausted = async (): Promise<boolean> => {
    await database.query(MAKE_DUE, [jobId]);
    return (await database.query(FIND_EXHAUSTED, [jobId])).rowCount === 1;
  };
  try {
    if (await waitUntil(isExhausted, { timeoutMs })) return;
  } finally {
    await database.end();
  }
  throw new StartProblem(`The delivery of job ${jobId} was not exhausted after ${timeoutMs / 1000} s.`);
}

const REACHED_WITHIN_MS = 60_000;

/** Results of an earlier run. Keys are shown only once, so they are stored beside those of the demo account. */
export interface Seeded {
  accounts: Record<string, CreatedAccount>;
  jobs: Record<string, string>;
}

export interface SeederOptions {
  stack: Pick<Stack, 'base_url' | 'database_url'>;
  file: PrivateJsonFile<Seeded>;
  programs: string;
  env: NodeJS.ProcessEnv;
  /** Receiver that answers deliveries with 2xx; null leaves these deliveries out. */
  receiver: string | null;
}

/**
 * Fills a stack through its public API and the kinora command; only the schedule of one delivery is changed in the database.
 * Results of an earlier run that are still valid are kept.
 */
export class Seeder {
  constructor(private readonly options: SeederOptions) {}

  async run(): Promise<Seeded> {
    const seeded = (await this.options.file.read()) ?? { accounts: {}, jobs: {} };
    for (const account of ACCOUNTS) {
      seeded.accounts[account.name] = await this.ensureAccount(account, seeded.accounts[account.name]);
      await this.options.file.write(seeded);
    }
    const [{ name: owner }] = ACCOUNTS as [SeedAccount];
    const { api_key: key } = seeded.accounts[owner] as CreatedAccount;
    for (const job of JOBS) {
      seeded.jobs[job.name] = await this.ensureJob(job, key, seeded.jobs[job.name]);
      await this.options.file.write(seeded);
    }
    return seeded;
  }

  /** The JSON output of a `kinora` command with `--json`. */
  async kinora(...args: string[]): Promise<unknown> {
    const program = path.join(this.options.programs, 'apps/cli/src/main.js');
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [program, ...args, '--json'], { env: this.options.env }, (error, output, problem) =>
        error ? reject(new StartProblem(`kinora ${args.join(' ')}: ${output}${problem}`)) : resolve(JSON.parse(output)),
      );
    });
  }

  private async ensureAccount(wanted: SeedAccount, kept: CreatedAccount | undefined): Promise<CreatedAccount> {
    // The data folder may be used with another database since, which lacks the account.
    if (kept && (await this.kinora('account', 'show', kept.account_id).then(Boolean, () => false))) return kept;
    const { name, balanceUsd, status } = wanted;
    const balance = balanceUsd > 0 ? ['--balance-usd', String(balanceUsd)] : [];
    const limits = ['--rpm', '600', '--max-concurrent-jobs', '20'];
    const created = (await this.kinora('account', 'create', '--name', name, ...balance, ...limits)) as CreatedAccount;
    if (status) await this.kinora('account', 'set-status', created.account_id, status, '--reason', 'npm run seed');
    return created;
  }

  private async ensureJob(wanted: SeedJob, key: string, kept: string | undefined): Promise<string> {
    if (kept && (await this.showJob(kept, key))?.status === wanted.status) return kept;
    const { id } = await this.call<Job>('/images/generations', key, {
      prompt: wanted.prompt,
      ...this.webhookOf(wanted),
    });
    if (wanted.cancel) await this.call(`/jobs/${id}/cancel`, key, {});
    const isThere = async (): Promise<boolean> => (await this.showJob(id, key))?.status === wanted.status;
    const inTime = await waitUntil(isThere, { timeoutMs: REACHED_WITHIN_MS });
    if (!inTime) throw new StartProblem(`Job ${id} was not ${wanted.status} after ${REACHED_WITHIN_MS / 1000} s.`);
    if (wanted.exhausted) await exhaustDelivery(this.options.stack.database_url, id, REACHED_WITHIN_MS);
    return id;
  }

  private webhookOf({ webhook }: SeedJob): { webhook_url?: string } {
    const url = webhook === 'failing' ? FAILING_RECEIVER : webhook === 'receiver' ? this.options.receiver : null;
    return url === null ? {} : { webhook_url: url };
  }

  /** Null if the stack does not have the job. */
  private async showJob(id: string, key: string): Promise<Job | null> {
    return this.call<Job>(`/jobs/${id}`, key).catch(() => null);
  }

  private async call<Answer>(route: string, key: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.options.stack.base_url}${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StartProblem(`${route} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }
}
