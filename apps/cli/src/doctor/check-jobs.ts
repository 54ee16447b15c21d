import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { catalogAdminRpc, catalogRpc, type ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { ModelExamination, ProviderExamination } from '@kinora/contracts/jobs/jobs-admin.rpc';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { remainingMs } from '@kinora/bus/client';
import type { StackClient } from '../stack/stack-client';
import { type CheckResult, type Examination, NotTried, runCheck, secondsSince } from './check';
import { NEEDED_FOR_JOBS } from './check-stack';

const MODELS = 'npm run --silent kinora -- model list';

/**
 * Has jobs examine every compute instance and the routes of models to them: the only check that reaches the backends.
 */
export async function* checkCompute(examination: Examination): AsyncGenerator<CheckResult> {
  const results: Promise<CheckResult>[] = [];
  const examined = await runCheck('compute', examination.remedyFor('jobs'), async () => {
    examination.assertWell('jobs', 'catalog');
    const { providers, models, certificate_expires_at: expiresAt } = await examination.examineCompute();
    results.push(...providers.map((each) => checkProvider(each, examination)), ...models.map(checkModel));
    if (expiresAt !== undefined) results.push(checkCertificate(expiresAt, new Date()));
    return 'jobs has examined every instance';
  });
  if (examined.outcome === 'ok') yield* results;
  else yield examined;
}

function checkProvider(provider: ProviderExamination, examination: Examination): Promise<CheckResult> {
  const { id, type, state, version, free_slots, problems, advice } = provider;
  return runCheck(`provider ${id}`, examination.remedyFor(type === 'sandbox' ? 'sandbox' : 'jobs'), async () => {
    if (state !== 'up' || problems.length > 0) throw new Error(`${type} is ${state}. ${problems.join(' ')}`.trim());
    const facts = [version && `version ${version}`, free_slots !== undefined && `${free_slots} places free`];
    return [[`${type} is up`, ...facts.filter(Boolean)].join(', '), advice].filter(Boolean).join('. ');
  });
}

function checkModel({ id, providers, problems }: ModelExamination): Promise<CheckResult> {
  return runCheck(`model ${id}`, { next: MODELS }, async () => {
    if (problems.length > 0) throw new Error(problems.join(' '));
    return `runs at ${providers.join(', ')}`;
  });
}

const WARN_BEFORE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** The certificate that signs the content credentials of outputs. */
export async function checkCertificate(expiresAt: string | null, now: Date): Promise<CheckResult> {
  const remedy = { next: 'docs/operate/provenance.md' };
  return runCheck('certificate', remedy, () => {
    if (expiresAt === null)
      throw new NotTried('outputs have no content credentials: set KINORA_C2PA_CERTIFICATE', remedy);
    const days = Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY_MS);
    if (days < 0) throw new Error(`It expired on ${expiresAt}: outputs are stored without content credentials.`);
    if (days < WARN_BEFORE_DAYS) throw new Error(`It expires in ${days} days; renew it.`);
    return Promise.resolve(`signs content credentials for ${days} more days`);
  });
}

const ACCOUNT_NAME = 'Kinora doctor';
const REASON = 'a job of kinora doctor';
const POLL_EVERY_MS = 100;
/** The time reserved at the end of the check to cancel a job that is too slow, so that it is refunded. */
const CANCEL_WITHIN_MS = 1_000;

/**
 * An account of the operator's own, created once: a check never spends a customer's money. Each run grants it the price
 * of one image, which the job then costs, so that its balance does not change.
 */
class DoctorAccount {
  constructor(private readonly client: StackClient) {}

  /** @throws Error that names the status in which the job stopped; the job is canceled and refunded then. */
  async tryJob(
    input: Pick<ImageGenerationBody, 'prompt' | 'model' | 'size'>,
    price: Micros,
    onCreated: (jobId: string) => void,
  ): Promise<Job> {
    const account_id = await this.open(price);
    const { job } = await this.client.request(jobsRpc.create, { account_id, kind: 'image.generation', input });
    onCreated(job.id);
    const ended = await this.untilEnded(account_id, job);
    if (ended.status !== 'succeeded')
      throw new Error(`Job ${ended.id} ended as ${ended.status}: ${ended.error?.message ?? 'without an error'}`);
    return ended;
  }

  /** @returns the id of an account that can pay the price. */
  private async open(price: Micros): Promise<string> {
    const { data } = await this.client.request(accountListRpc.listAccounts, { search: ACCOUNT_NAME, limit: 100 });
    // Two doctors that first ran at the same time have created one account each; the older one stays in use.
    const known = data.findLast(({ name }) => name === ACCOUNT_NAME);
    const { account_id } =
      known ??
      (await this.client.requestAsOperator(billingAdminRpc.createAccount, { name: ACCOUNT_NAME, retention_days: 1 }));
    if ((known?.balance_micros ?? 0) < price)
      await this.client.requestAsOperator(billingAdminRpc.grantCredit, {
        account_id,
        amount_micros: price,
        reason: REASON,
      });
    return account_id;
  }

  private async untilEnded(account_id: string, created: Job): Promise<Job> {
    const ref = { account_id, job_id: created.id };
    let job = created;
    while (job.completed_at === null) {
      if ((remainingMs() ?? Infinity) < CANCEL_WITHIN_MS) {
        const { status } = job;
        job = await this.client.request(jobsRpc.cancel, ref);
        if (job.status !== 'canceled') return job;
        throw new Error(`Job ${job.id} was still ${status} when the time of the check was over; it is canceled.`);
      }
      await delay(POLL_EVERY_MS);
      job = await this.client.request(jobsRpc.get, ref);
    }
    return job;
  }
}

const PROMPT = 'A calm sea under a clear sky';

/**
 * Runs one whole job at the sandbox, which costs no customer anything: created, screened, paid, drawn, judged, stored,
 * and fetched by its link. It does not run where an image costs GPU time.
 */
export async function* checkSandboxJob(examination: Examination): AsyncGenerator<CheckResult> {
  let jobId: string | undefined;
  const check = async (signal: AbortSignal): Promise<string> => {
    examination.assertWell(...NEEDED_FOR_JOBS, 'compute');
    const model = await findSandboxModel(examination);
    if (!model) throw new NotTried('no text-to-image model runs at the sandbox alone');
    const startedAtMs = performance.now();
    const job = await new DoctorAccount(examination.client).tryJob(
      toRequest(model),
      priceOf(model),
      (id) => (jobId = id),
    );
    return `${await fetchOutput(job, examination, signal)}, in ${secondsSince(startedAtMs)}`;
  };
  const result = await runCheck('sandbox job', examination.remedyFor('jobs'), check, examination.jobWithinMs);
  if (result.ok || jobId === undefined) yield result;
  else yield { ...result, next: `npm run --silent kinora -- job show ${jobId}` };
}

/** The cheapest model of which every route ends at a sandbox. */
async function findSandboxModel(examination: Examination): Promise<ResolvedModel | null> {
  const { providers } = await examination.examineCompute();
  const sandboxes = new Set(providers.filter(({ type }) => type === 'sandbox').map(({ id }) => id));
  const { data } = await examination.client.request(catalogAdminRpc.listAllModels, {});
  const [cheapest] = data
    .filter(({ enabled, model, routes }) => enabled && model.capabilities.t2i && routes.length > 0)
    .filter(({ routes }) => routes.every(({ provider }) => sandboxes.has(provider)))
    .sort((one, other) => (one.model.price?.micros ?? 0) - (other.model.price?.micros ?? 0));
  if (!cheapest) return null;
  return examination.client.request(catalogRpc.resolveModel, {
    model: cheapest.model.id,
    operation: 'image.generation',
  });
}

function toRequest(model: ResolvedModel): { model: string; prompt: string; size?: string } {
  const size = model.capabilities.sizes?.[0];
  return { model: model.id, prompt: PROMPT, ...(size !== undefined && { size }) };
}

function priceOf({ price, capabilities }: ResolvedModel): number {
  return price.micros_by_size[capabilities.sizes?.[0] ?? ''] ?? price.micros;
}

/** From another machine the stack's public address may be unreachable, which is no fault of the stack. */
async function fetchOutput(job: Job, { stack }: Examination, signal: AbortSignal): Promise<string> {
  const url = job.output && 'images' in job.output ? job.output.images[0]?.url : null;
  if (!url) throw new Error('The job succeeded and has no link to its output.');
  const response = await fetch(url, { redirect: 'manual', signal }).catch(() => null);
  if (!response && stack.data_dir === undefined)
    return `drawn and stored; its link, at ${new URL(url).host}, cannot be reached from here`;
  if (!response?.ok)
    throw new Error(`The link to its output ${response ? `answered ${response.status}` : 'does not answer'}.`);
  const bytes = (await response.arrayBuffer()).byteLength;
  return `drawn, stored and fetched, ${bytes} bytes`;
}
