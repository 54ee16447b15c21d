import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { withTimeout } from '@kinora/bus';
import type { ProviderExamination } from '@kinora/contracts/jobs/examination';
import type { ComputeProvider, ProbeReport, UpstreamStatus } from './compute-provider.port';
import type { Instance } from './provider-loader';

const TIMEOUT_MS = 15_000;
/** An id that no attempt ever has. */
const UNKNOWN_TASK = { id: '00000000-0000-7000-8000-000000000000-1', ref: null };

/**
 * The part of the conformance kit without side effects, for a live backend: it starts no work and costs nothing.
 * @param remainingMs the remaining time until the caller's deadline.
 */
export async function examineInstance(
  { provider, type, loraDir }: Instance,
  templates: readonly string[] = [],
  remainingMs = Infinity,
): Promise<ProviderExamination> {
  const timeoutMs = Math.max(Math.min(TIMEOUT_MS, remainingMs), 0);
  const [report, ...problems] = await Promise.all([
    probe(provider, templates, timeoutMs),
    findIdentityProblem(provider, timeoutMs),
    loraDir === null ? null : findFolderProblem(loraDir),
  ]);
  const found = [...report.problems, ...problems.filter((problem) => problem !== null)];
  return {
    id: provider.id,
    type,
    state: report.state === 'up' && found.length > 0 ? 'degraded' : report.state,
    ...(report.version === undefined ? {} : { version: report.version }),
    ...(report.freeSlots === undefined ? {} : { free_slots: report.freeSlots }),
    problems: found,
  };
}

function probe(provider: ComputeProvider, templates: readonly string[], timeoutMs: number): Promise<ProbeReport> {
  const tooLate = `It did not answer within ${Math.round(timeoutMs / 100) / 10} s.`;
  return withTimeout(provider.probe(templates), timeoutMs, () => ({ state: 'down' as const, problems: [tooLate] }));
}

/** The status of a task that was never sent shows whether the backend's answers are reliable. */
async function findIdentityProblem(provider: ComputeProvider, timeoutMs: number): Promise<string | null> {
  const statuses = await withTimeout(
    provider.statuses([UNKNOWN_TASK]),
    timeoutMs,
    () => new Map<string, UpstreamStatus>(),
  );
  const state = statuses.get(UNKNOWN_TASK.id)?.state ?? 'unreachable';
  return state === 'not_found' || state === 'unreachable' ? null : `It reports a task that was never sent as ${state}.`;
}

async function findFolderProblem(dir: string): Promise<string | null> {
  const canWrite = await access(dir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return canWrite ? null : `Its folder of LoRAs, ${dir}, does not exist or is not writable.`;
}
