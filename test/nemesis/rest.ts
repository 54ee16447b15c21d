import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Account } from '@kinora/contracts/billing/account';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { JOB_STATUSES, type Job, isInFlight } from '@kinora/contracts/jobs/job';
import { type Receipt, RECEIPT_TYP } from '@kinora/contracts/jobs/receipt';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import type { WebhookDelivery } from '@kinora/contracts/webhooks/account-deliveries.rpc';
import { type PublicKey, verifyJws } from '@kinora/signatures';
import { Semaphore } from '@kinora/service-kit/without-nest';
import { ApiClient } from '../support/api-client';
import { onBus } from '../support/operator';
import { auditStack } from '../support/stack-books';
import { type Clients, seenJob } from './clients';
import type { OpenedAccount } from './payments';
import {
  type Call,
  type Delivery,
  groupBy,
  type History,
  type RestingAccount,
  type RestingPayment,
  RUN_TIMEOUT_MS,
  QUEUE_TIMEOUT_MS,
} from './history';
import { findGrown, findOverdueRows, UnreadMessages } from './leftovers';
import { readMonths } from './month-statements';
import type { NemesisStack } from './stack';
import { filesOf, listFiles } from './stored-files';
import { DELETIONS, DISPUTED_CARDS, type OperationKind, type Plan } from './swarm';

/** After the last deadline of a job, everything else may take another minute; a webhook's first repeat comes after one. */
const REST_WITHIN_MS = QUEUE_TIMEOUT_MS + RUN_TIMEOUT_MS + 60_000;
const ROUND_MS = 300;
/** What is at rest stays so, and reading all of many jobs takes longer on a busy machine. */
const READ_WITHIN_MS = 120_000;
/** What an operator repeats until it is answered, as what follows depends on it. */
const REPEATABLE: readonly OperationKind[] = ['top_up', 'refund', ...DELETIONS];
const PAGE = 100;
/** More would be refused by a gateway that protects itself. */
const READS_AT_ONCE = 16;
const MOST_READS = 10;

/** The stack before a run. */
export interface Before {
  files: ReadonlySet<string>;
  memory: ReadonlyMap<string, number>;
}

/** Waits until nothing moves any more after a run, and then reads everything that a customer can read. */
export class Rest {
  private readonly customers: ApiClient[];
  private readonly reads = new Semaphore(READS_AT_ONCE);

  constructor(
    private readonly stack: NemesisStack,
    private readonly plan: Plan,
    private readonly clients: Clients,
    private readonly accounts: OpenedAccount[],
    private readonly deliveries: Delivery[],
    private readonly before: Before,
  ) {
    this.customers = accounts.map(({ apiKey }) => new ApiClient(stack.baseUrl(0), apiKey));
  }

  async read(): Promise<History['rest']> {
    const unsettled: string[] = [];
    const startedAt = performance.now();
    const unread = new UnreadMessages(this.stack.dependencies.natsUrl);
    // In this order: what is repeated may create jobs, which have to end before the books are compared.
    for (const step of [
      () => this.repeatUnknown(),
      () => this.findJobsInFlight(),
      () => this.findMissingWebhooks(),
      () => this.findOpenPayments(),
      () => this.findUndeleted(),
      () => this.findBooks(),
      () => this.findOverdueRows(),
      () => unread.find(),
      async () => findGrown(this.before.memory, await this.stack.readMemory()),
    ])
      unsettled.push(...(await this.until(step, startedAt + REST_WITHIN_MS)));
    const tookMs = performance.now() - startedAt;
    let read = { accounts: [] as RestingAccount[], payments: [] as RestingPayment[], files: [] as string[] };
    const unreadable = await this.until(async () => {
      read = await this.readEverything();
      return [];
    }, performance.now() + READ_WITHIN_MS);
    return { ...read, unsettled: [...unsettled, ...unreadable], tookMs };
  }

  private async readEverything(): Promise<Pick<History['rest'], 'accounts' | 'payments' | 'files'>> {
    const files = await listFiles(this.stack.dependencies.objects);
    return {
      accounts: await Promise.all(this.accounts.map((_, account) => this.readAccount(account))),
      payments: await this.clients.payments.read(),
      files: files.filter((key) => !this.before.files.has(key)),
    };
  }

  /** Repeats the step until it finds nothing. @returns what it still finds at the deadline. */
  private async until(step: () => Promise<string[]>, deadline: number): Promise<string[]> {
    for (;;) {
      const found = await step().catch((error: unknown) => [String(error)]);
      if (found.length === 0 || performance.now() > deadline) return found;
      await delay(ROUND_MS);
    }
  }

  /** One of many reads, which a busy service may refuse for now. */
  private async patiently<Result>(read: () => Promise<Result>): Promise<Result> {
    return await this.reads.run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await read();
        } catch (error) {
          if (attempt === MOST_READS) throw error;
          await delay(ROUND_MS);
        }
      }
    });
  }

  /** As a careful client does: with the same key, or the same reference of a payment. */
  private async repeatUnknown(): Promise<string[]> {
    const callsOf = groupBy(this.clients.calls, ({ operation }) => `${operation}`);
    const unknown = this.plan.operations.filter(({ id, kind, creation }) => {
      const isRepeatable = REPEATABLE.includes(kind) || (creation?.key ?? null) !== null;
      return isRepeatable && callsOf.get(`${id}`)?.every(isOpen);
    });
    const repeated = unknown.map((operation) =>
      this.reads.run(async () => {
        const again = await this.clients.call(operation);
        return again && isOpen(again) ? [`no answer to ${operation.kind} ${operation.id}`] : [];
      }),
    );
    return (await Promise.all(repeated)).flat();
  }

  private async findJobsInFlight(): Promise<string[]> {
    const found: string[] = [];
    // One state after the other, so that a job that goes forward meanwhile is seen.
    for (const status of JOB_STATUSES.filter(isInFlight))
      for (const client of this.customers) {
        const { data } = await client.read<{ data: Job[] }>(`/jobs?status=${status}`);
        found.push(...data.map(({ id }) => `a job in flight: ${id}`));
      }
    return found;
  }

  /** The first attempt to a receiver that answers. */
  private async findMissingWebhooks(): Promise<string[]> {
    const wanted = this.plan.operations.filter(
      ({ creation }) => creation?.receiver === 'good' || creation?.receiver === 'slow',
    );
    const tags = new Set(wanted.map(({ creation }) => creation?.tag));
    const arrived = new Set(this.deliveries.map(({ job }) => job.id));
    const jobs = (await Promise.all(this.customers.map((client) => readJobs(client)))).flat().map(seenJob);
    return jobs.filter(({ id, tag }) => tags.has(tag) && !arrived.has(id)).map(({ id }) => `a webhook of job ${id}`);
  }

  /** Payments and disputes that the provider has, and the account not yet. */
  private async findOpenPayments(): Promise<string[]> {
    return (await this.clients.payments.read())
      .filter(({ card, isPaid, state, refundedMicros, returnedMicros, dispute }) => {
        const isDecided =
          card === 'dispute_won' ? dispute === 'won' : dispute !== null || !DISPUTED_CARDS.includes(card);
        return isPaid && (state !== 'paid' || !isDecided || returnedMicros !== refundedMicros);
      })
      .map(({ operation, card }) => `payment ${operation} with the card ${card}`);
  }

  /** The text, a link or a file of what a customer has deleted. A process that was killed may have left a file to the sweep. */
  private async findUndeleted(): Promise<string[]> {
    const isSwept = this.plan.faults.some(({ group }) => group === 'process');
    const stored = await listFiles(this.stack.dependencies.objects);
    const deletions = this.clients.calls.filter(({ kind, status }) => DELETIONS.includes(kind) && status === 200);
    const left = deletions.map(async ({ kind, account, jobs: [{ id } = { id: '' }] }) => {
      const client = this.customers[account] as ApiClient;
      const job = await this.patiently(() => client.read<Job>(`/jobs/${id}`));
      const hasText = kind === 'delete_content' && JSON.stringify(job).includes('a lake');
      const hasLink = JSON.stringify(job.output).includes('"url":"');
      const isStored = !isSwept && stored.some((key) => key.includes(id));
      return hasText || hasLink || isStored ? [`deleted content of job ${id}`] : [];
    });
    return (await Promise.all(left)).flat();
  }

  private findBooks(): Promise<string[]> {
    return auditStack({ dataDir: this.stack.stack.dataDir, databaseUrl: this.stack.postgres.url });
  }

  private async findOverdueRows(): Promise<string[]> {
    const database = await this.stack.postgres.connect();
    try {
      return await findOverdueRows(database);
    } finally {
      await database.end();
    }
  }

  private async readAccount(account: number): Promise<RestingAccount> {
    const client = this.customers[account] as ApiClient;
    const jobs = await readJobs(client);
    const { keys } = (await (await fetch(new URL('/.well-known/jwks.json', client.baseUrl))).json()) as {
      keys: PublicKey[];
    };
    const events = await readPages<WebhookEvent>(client, '/events?', 'after');
    const deliveries = await readPages<WebhookDelivery>(client, '/webhooks/deliveries?', 'cursor');
    const { balance_micros } = await client.read<Account>('/account');
    const { accountId: account_id = '', apiKey = '' } = this.accounts[account] ?? {};
    const months = await readMonths(this.stack, this.plan, apiKey);
    const details = await onBus(this.stack.stack, (bus) => bus.request(billingAdminRpc.showAccount, { account_id }));
    const ended = jobs.filter(({ completed_at }) => completed_at !== null);
    const receipts = await Promise.all(
      ended.map(({ id: jobId }) =>
        this.patiently(() => readReceipt(client, jobId, keys)).catch(() => ({ jobId, ...UNVERIFIED })),
      ),
    );
    const broken = await Promise.all(
      jobs.map((job) => this.patiently(async () => ((await this.isWhole(job)) ? [] : [job.id]))),
    );
    return {
      balanceMicros: balance_micros,
      months,
      owedMicros: details.owed_micros ?? 0,
      status: details.status,
      jobs: jobs.map(seenJob),
      feed: events.map(({ id, data: { object } }) => ({ eventId: id, jobId: object.id, status: object.status })),
      deliveries: deliveries.map(({ job_id, created_at }) => ({
        ...{ jobId: job_id, writtenAtMs: Date.parse(created_at) },
      })),
      receipts,
      brokenFiles: broken.flat(),
      files: jobs.flatMap(filesOf),
    };
  }

  /** Whether each link gives the stated bytes, with Content Credentials unless an earlier release has made them. */
  private async isWhole({ output, completed_at }: Job): Promise<boolean> {
    const files = output === null ? [] : 'images' in output ? output.images : [output.video];
    const isSigned = Date.parse(completed_at ?? '') > this.stack.currentSinceMs;
    const checks = files.map(async ({ url, bytes }) => {
      if (url === null) return true;
      const response = await fetch(url);
      if (response.status === 503) throw new Error('A file is not available.');
      const file = Buffer.from(await response.arrayBuffer());
      return response.status === 200 && file.length === bytes && (!isSigned || file.includes('c2pa.signature'));
    });
    return (await Promise.all(checks)).every(Boolean);
  }
}

const UNVERIFIED = { outcome: null, chargedMicros: 0 };

/** OpenAI's door also answers with 503 where the job has ended since no backend took it. */
function isOpen({ status, creation }: Call): boolean {
  return status === null || (status === 503 && creation?.endpoint !== 'openai');
}

async function readReceipt(
  client: ApiClient,
  jobId: string,
  keys: PublicKey[],
): Promise<RestingAccount['receipts'][number]> {
  const { status, body } = await client.get<Receipt>(`/jobs/${jobId}/receipt`);
  if (status === 503) throw new Error(`The receipt of job ${jobId} is not available.`);
  if (status !== 200) return { jobId, ...UNVERIFIED };
  const { kind, amount_micros } = body.payload.settlement;
  return { jobId, outcome: signedOutcome(body, jobId, keys), chargedMicros: kind === 'capture' ? amount_micros : 0 };
}

/** Null where the signature does not verify, or is of another statement. */
function signedOutcome({ payload, jws }: Receipt, jobId: string, keys: PublicKey[]): string | null {
  try {
    const signed = JSON.parse(verifyJws(jws, RECEIPT_TYP, keys).payload) as Receipt['payload'];
    return isDeepStrictEqual(signed, payload) && signed.job_id === jobId ? signed.outcome.status : null;
  } catch {
    return null;
  }
}

async function readJobs(client: ApiClient): Promise<Job[]> {
  return await readPages<Job>(client, '/jobs?', 'cursor');
}

async function readPages<Item>(client: ApiClient, path: string, parameter: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ;) {
    const after = cursor === '' ? '' : `&${parameter}=${encodeURIComponent(cursor)}`;
    const page = await client.read<{ data: Item[]; next_cursor: string | null }>(`${path}limit=${PAGE}${after}`);
    items.push(...page.data);
    // The feed has a cursor for what comes next also at its end.
    if (page.next_cursor === null || page.data.length === 0) return items;
    cursor = page.next_cursor;
  }
}
