import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Job } from '@kinora/contracts/jobs/job';
import { ApiError } from '@kinora/contracts/shared/errors';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { toWebhookEvent, webhookHeaders } from '@kinora/webhooks';
import type { CommandContext } from '../command-context';
import { positiveIntegerOf } from '../option-values';
import { describe } from '../output/report';
import type { StackClient } from '../stack/stack-client';
import { PublicApi } from './public-api';

/** No job is in flight nearly that long: a job created earlier has ended before this command began. */
const LONGEST_JOB_MS = 60 * 60_000;
/** A job may become visible after jobs that were created later. No transaction lasts nearly that long. */
const OVERLAP_MS = 60_000;

/** An account's jobs that have ended since a time, each returned once. */
class EndedJobs {
  private inFlight = new Set<string>();
  private forwarded = new Set<string>();
  /** Every job created before this time is known: it has ended, or is in `inFlight`. */
  private knownBefore: number;

  /** @param since by the service's clock. */
  constructor(
    private readonly api: PublicApi,
    private readonly since: string,
  ) {
    this.knownBefore = Date.parse(since) - LONGEST_JOB_MS;
  }

  /** The jobs that have ended since the last poll, in the order of their end. A failed poll changes no state. */
  async poll(): Promise<Job[]> {
    const recent = await this.api.listJobsSince(this.knownBefore);
    const isRecent = new Set(recent.map(({ id }) => id));
    const older = [...this.inFlight].filter((id) => !isRecent.has(id));
    const jobs = [...recent, ...(await Promise.all(older.map((id) => this.api.getJob(id))))];
    const ended = jobs.filter(({ completed_at, id }) => isSince(completed_at, this.since) && !this.forwarded.has(id));
    this.inFlight = new Set(jobs.filter(({ completed_at }) => !completed_at).map(({ id }) => id));
    // A job that has ended and is no longer recent is not polled again, so its id is dropped.
    this.forwarded = new Set([...this.forwarded, ...ended.map(({ id }) => id)].filter((id) => isRecent.has(id)));
    const [newest] = recent;
    if (newest) this.knownBefore = Math.max(this.knownBefore, Date.parse(newest.created_at) - OVERLAP_MS);
    return ended.sort((one, other) => Date.parse(one.completed_at ?? '') - Date.parse(other.completed_at ?? ''));
  }
}

function isSince(time: string | null | undefined, since: string): boolean {
  return typeof time === 'string' && Date.parse(time) >= Date.parse(since);
}

const TIMEOUT_MS = 10_000;

/**
 * Sends a job's event once, as its webhook would be sent, to a URL of the developer. @returns a line that reports the
 * result.
 */
async function forwardEvent(job: Job, { url, secret }: { url: string; secret: string }): Promise<string> {
  // The service's own event id, so that a receiver that gets the event both ways counts it once.
  const event = toWebhookEvent(`evt_${job.id.replaceAll('-', '')}`, job);
  const body = Buffer.from(JSON.stringify(event), 'utf8');
  const headers = webhookHeaders({ deliveryId: randomUUID(), eventType: event.type, body, secrets: [secret] });
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    async (response) => {
      await response.body?.cancel();
      return `${response.status}`;
    },
    () => 'no answer',
  );
  return `${event.type}  ${job.id}  ${answer}`;
}

/** Uses half of a key's default rate, so that the rest is available to other requests of the developer. */
const POLL_INTERVAL_MS = 2_000;

interface ListenOptions {
  forwardTo: string;
  baseUrl?: string;
  apiKey?: string;
  secret?: string;
  count?: number;
}

/**
 * Forwards events to a receiver that the service cannot reach, such as one on a laptop: it polls the API and sends the
 * webhooks itself.
 */
export function addListenCommand(program: Command, { stack, clock, print, printNotice }: CommandContext): void {
  program
    .command('listen')
    .requiredOption('--forward-to <url>', 'where events go; http is accepted')
    .option('--base-url <url>', 'address of the API, up to /v1; default: that of the running stack')
    .option('--api-key <key>', "key of the account; default: the demo account's")
    .option('--secret <secret>', "secret to sign with; default: the demo account's")
    .option('--count <n>', 'stop after this many events', positiveIntegerOf('--count'))
    .description("forward the events of an account's jobs that end from now on, newly signed")
    .action(async (options: ListenOptions) => {
      const { count = Infinity } = options;
      const url = readTarget(options.forwardTo);
      const { baseUrl, apiKey, secret } = findAccount(options, stack);
      const api = new PublicApi(baseUrl, apiKey);
      const ended = new EndedJobs(api, await api.now());
      printNotice(`Forwarding to ${url}.`);
      let forwarded = 0;
      while (forwarded < count) {
        for (const job of await pollWithRetry(ended, printNotice)) {
          printNotice(await forwardEvent(job, { url, secret }));
          forwarded += 1;
        }
        if (forwarded < count) await clock.sleep(POLL_INTERVAL_MS);
      }
      print(describe({ forwarded }));
    });
}

/** An API that is unavailable or refuses for its rate limit is polled again at the next interval. */
async function pollWithRetry(
  ended: EndedJobs,
  printNotice: CommandContext['printNotice'],
): ReturnType<EndedJobs['poll']> {
  try {
    return await ended.poll();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'capacity') throw error;
    printNotice(error.message);
    return [];
  }
}

/** Adds a missing scheme: the parser would read `localhost:3000/hook` as a URL of the scheme `localhost`. */
function readTarget(text: string): string {
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
  throw new ApiError('invalid_body', '--forward-to must be an http or https URL, such as http://localhost:3000/.', {
    param: '--forward-to',
  });
}

function findAccount(
  { baseUrl, apiKey, secret }: ListenOptions,
  stack: StackClient,
): { baseUrl: string; apiKey: string; secret: string } {
  if (baseUrl !== undefined && apiKey !== undefined && secret !== undefined) return { baseUrl, apiKey, secret };
  const { base_url = '', api_key = '', webhook_secret = '' } = stack.find();
  const found = { baseUrl: baseUrl ?? base_url, apiKey: apiKey ?? api_key, secret: secret ?? webhook_secret };
  if (Object.values(found).includes(''))
    throw new ApiError('invalid_body', 'Without a local stack, --base-url, --api-key and --secret must be given.');
  return found;
}
