import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { billingHealthRpc } from '@kinora/contracts/billing/billing.rpc';
import { paymentsHealthRpc } from '@kinora/contracts/billing/checkout.rpc';
import { emailRpc } from '@kinora/contracts/billing/email.rpc';
import { catalogHealthRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsHealthRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { complianceRpc, MODERATION_LINE } from '@kinora/contracts/moderation/compliance.rpc';
import { moderationHealthRpc } from '@kinora/contracts/moderation/moderation.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { webhooksHealthRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import type { StackProcess } from '../stack/find-stack';
import { CHECK_TIMEOUT_MS, type CheckResult, type Examination, noAnswer, NotTried, runCheck } from './check';

const PROBE_TIMEOUT_MS = 3_000;

/**
 * Whether the processes of the stack run and report themselves as ready. None are known if only the broker's address is
 * given.
 */
export async function* checkProcesses(examination: Examination): AsyncGenerator<CheckResult> {
  const processes = Object.entries(examination.stack.processes);
  yield* processes.map(([name, each]) => checkProcess(name, each, examination));
}

function checkProcess(name: string, { pid, health_url }: StackProcess, examination: Examination): Promise<CheckResult> {
  return runCheck(`process ${name}`, examination.remedyFor(name), async () => {
    if (!isAlive(pid)) throw new Error(`No process ${pid} exists.`);
    const response = await fetch(health_url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => null);
    if (!response) throw new Error(`Process ${pid} is alive but does not answer at ${health_url}.`);
    if (!response.ok) throw new Error(`Process ${pid} is not ready: ${await response.text()}`);
    return `process ${pid} is ready`;
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const MB = 1_000_000;
/**
 * PostgreSQL alone writes its write-ahead log in files of 16 MB; with less than this it stops in the middle of a job.
 */
const LEAST_FREE_BYTES = 256 * MB;

/** Whether the disk has space for what the local stack writes. */
export async function* checkDisk({ stack: { data_dir: dataDir } }: Examination): AsyncGenerator<CheckResult> {
  yield runCheck('disk', { next: `df -h ${dataDir}` }, async () => {
    if (dataDir === undefined)
      throw new NotTried(
        'only a local stack has its disk here; watch the volumes of PostgreSQL, NATS and the object store',
      );
    const { bavail, bsize, ffree, files } = await statfs(dataDir);
    const freeMb = Math.floor((bavail * bsize) / MB);
    if (bavail * bsize < LEAST_FREE_BYTES)
      throw new Error(
        `Only ${freeMb} MB are free on the disk of ${dataDir}. While it is full, jobs are refused with 503; free some space.`,
      );
    // Some file systems have no fixed number of files, and report 0 of 0.
    if (files > 0 && ffree === 0)
      throw new Error(
        `The disk of ${dataDir} has no free inode, so no further file can be created. Delete some files.`,
      );
    return `${freeMb} MB are free on the disk of ${dataDir}`;
  });
}

const HEALTH_CHECKS: Record<string, RpcContract<Record<string, never>, HealthReport>> = {
  jobs: jobsHealthRpc.check,
  billing: billingHealthRpc.check,
  moderation: moderationHealthRpc.check,
  catalog: catalogHealthRpc.check,
  'webhook-dispatcher': webhooksHealthRpc.check,
};

/** Contexts without which no job can be created and completed. */
export const NEEDED_FOR_JOBS = ['jobs', 'billing', 'moderation', 'catalog'] as const;

/** The broker answers at once if a subject has no subscriber; only a process that hangs uses the whole time. */
const SOON_MS = CHECK_TIMEOUT_MS * 0.8;

/** Requests the health of every context over the broker, all at once. */
export async function* checkContexts(examination: Examination): AsyncGenerator<CheckResult> {
  yield* Object.entries(HEALTH_CHECKS).map(([service, contract]) =>
    runCheck(service, examination.remedyFor(service), () => requestHealth(examination, contract)),
  );
}

async function requestHealth(
  { client }: Examination,
  contract: RpcContract<Record<string, never>, HealthReport>,
): Promise<string> {
  const startedAtMs = performance.now();
  const { dependencies } = await client.request(contract, {}).catch((error: unknown) => {
    throw isUnanswered(error) ? new Error(whyUnanswered(performance.now() - startedAtMs)) : error;
  });
  const problems = dependencies.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));
  if (problems.length > 0) throw new Error(`It answers, but cannot work: ${problems.join('; ')}.`);
  return `answers, with ${dependencies.map(({ name }) => name).join(', ')}`;
}

/** What judges texts and images. It fails only where moderation does not answer; its canaries are part of its health. */
export async function* checkEngines(examination: Examination): AsyncGenerator<CheckResult> {
  yield runCheck('engines', examination.remedyFor('moderation'), async () => {
    examination.assertWell('moderation');
    const { lines } = await examination.client.request(complianceRpc.show, {});
    return lines.find(({ subject }) => subject === MODERATION_LINE)?.state ?? 'unknown';
  });
}

function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'capacity';
}

function whyUnanswered(afterMs: number): string {
  return afterMs < SOON_MS ? 'No process answers for it on the broker.' : `${noAnswer()} A process of it may hang.`;
}

/**
 * Sends requests to the API as a client. Without a key the check shows that the gateway serves; with one, also that
 * billing recognises keys.
 */
export async function* checkGateway(examination: Examination): AsyncGenerator<CheckResult> {
  const { baseUrl, stack } = examination;
  yield runCheck('gateway', examination.remedyFor('gateway'), async (signal) => {
    if (baseUrl === undefined) throw new NotTried('the address of the API is not known here; give it with --base-url');
    const url = `${baseUrl}/account`;
    const headers = { authorization: `Bearer ${stack.api_key ?? ''}` };
    const response = await fetch(url, { headers, redirect: 'manual', signal }).catch(() => null);
    if (!response) throw new Error(`${baseUrl} does not answer.`);
    await response.body?.cancel();
    if (response.status === 200) return `answers at ${baseUrl}, and takes the demo key`;
    if (response.status !== 401) throw new Error(`GET ${url} answered ${response.status}.`);
    return stack.api_key ? `answers at ${baseUrl}; the demo key is revoked` : `answers at ${baseUrl}`;
  });
}

/** Whether the mail server answers. Without e-mail, sign-up and the reset of passwords do not work. */
export async function* checkMail(examination: Examination): AsyncGenerator<CheckResult> {
  yield runCheck('mail', examination.remedyFor('billing'), async () => {
    examination.assertWell('billing');
    const { transport, problem } = await examination.client.request(emailRpc.check, {});
    if (problem !== null) throw new Error(`The server of KINORA_SMTP_URL cannot be used: ${problem}.`);
    return { smtp: 'the mail server answers', folder: 'e-mail goes to a folder', none: 'no e-mail is sent' }[transport];
  });
}

const VERIFY = { next: 'npm run --silent kinora -- ledger verify' };

/** Verifies as much of the ledger as fits into the time of one check. */
export async function* checkLedger(examination: Examination): AsyncGenerator<CheckResult> {
  yield runCheck('ledger', VERIFY, async () => {
    examination.assertWell('billing');
    const report = await examination.client.request(billingAdminRpc.verifyLedger, {}).catch((error: unknown) => {
      const tookTooLong = error instanceof ApiError && error.code === 'capacity';
      throw tookTooLong ? new NotTried('it is too long for the time of one check', VERIFY) : error;
    });
    if (!report.ok) throw new Error(`The ledger has ${report.violations.length} violations.`);
    const rest = report.next_account_id === null ? '' : ' so far; ledger verify reads the rest';
    return `the ledger holds: ${report.accounts} accounts, ${report.entries} entries${rest}`;
  });
}

/** Whether the payment provider takes the key, and whether its webhooks arrive. */
export async function* checkPayments(examination: Examination): AsyncGenerator<CheckResult> {
  yield runCheck('payments', { next: 'docs/operate/install.md' }, async (signal) => {
    examination.assertWell('billing');
    const { provider, problems } = await examination.client.request(paymentsHealthRpc.examine, {});
    if (problems.length > 0) throw new Error(problems.join(' '));
    if (provider === null) throw new NotTried('KINORA_PAYMENTS is none');
    if (provider === 'stripe') await assertWebhooks(examination.baseUrl, signal);
    return `${provider} takes payments`;
  });
}

/** Without a signature the endpoint refuses; without a secret there is none. */
async function assertWebhooks(baseUrl: string | undefined, signal: AbortSignal): Promise<void> {
  if (baseUrl === undefined) return;
  const url = new URL('/stripe/webhooks', baseUrl);
  const response = await fetch(url, { method: 'POST', redirect: 'manual', signal }).catch(() => null);
  await response?.body?.cancel();
  if (response?.status !== 400)
    throw new Error(`${url.href} answered ${response?.status ?? 'nothing'}: set KINORA_STRIPE_WEBHOOK_SECRET there.`);
}
