import { performance } from 'node:perf_hooks';
import { billingHealthRpc } from '@kinora/contracts/billing/billing-health.rpc';
import { catalogHealthRpc } from '@kinora/contracts/catalog/catalog-health.rpc';
import { jobsHealthRpc } from '@kinora/contracts/jobs/jobs-health.rpc';
import { moderationHealthRpc } from '@kinora/contracts/moderation/moderation-health.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { webhooksHealthRpc } from '@kinora/contracts/webhooks/webhooks-health.rpc';
import { CHECK_TIMEOUT_MS, type CheckResult, inOrder, noAnswer, runCheck } from './check';
import type { Examination } from './examination';

/** By the name of the service. */
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
  yield* inOrder(
    Object.entries(HEALTH_CHECKS).map(([service, contract]) =>
      runCheck(service, examination.remedyFor(service), () => requestHealth(examination, contract)),
    ),
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

function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'capacity';
}

function whyUnanswered(afterMs: number): string {
  return afterMs < SOON_MS ? 'No process answers for it on the broker.' : `${noAnswer()} A process of it may hang.`;
}
