import { performance } from 'node:perf_hooks';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { catalogAdminRpc, catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { NEEDED_FOR_JOBS } from './check-contexts';
import { type CheckResult, notTried, runCheck, secondsSince } from './check';
import { DoctorAccount } from './doctor-account';
import type { Examination } from './examination';

const NAME = 'sandbox job';
const PROMPT = 'A calm sea under a clear sky';

/**
 * Runs one whole job at the sandbox, which costs no customer anything: created, screened, paid, drawn, judged, stored,
 * and fetched by its link. It does not run where an image costs GPU time.
 */
export async function* checkSandboxJob(examination: Examination): AsyncGenerator<CheckResult> {
  const missing = examination.failedOf([...NEEDED_FOR_JOBS, 'compute']);
  if (missing.length > 0) {
    yield notTried(NAME, `${missing.join(' and ')} must answer first`);
    return;
  }
  let jobId: string | undefined;
  let reason: string | undefined;
  const result = await runCheck(NAME, examination.remedyFor('jobs'), async (signal) => {
    const model = await findSandboxModel(examination);
    if (!model) return (reason = 'no text-to-image model runs at the sandbox alone');
    const startedAtMs = performance.now();
    const job = await new DoctorAccount(examination.client).tryJob(
      toRequest(model),
      priceOf(model),
      (id) => (jobId = id),
    );
    return `${await fetchOutput(job, examination, signal)}, in ${secondsSince(startedAtMs)}`;
  });
  if (reason !== undefined) yield notTried(NAME, reason);
  else if (result.ok || jobId === undefined) yield result;
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
