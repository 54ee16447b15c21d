import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withTimeout } from '@kinora/bus';
import type { ProviderExamination } from '@kinora/contracts/jobs/jobs-admin.rpc';
import type { ComputeProvider, ProbeReport, UpstreamStatus } from './compute-provider.port';
import type { Instance } from './provider-loader';

const TIMEOUT_MS = 15_000;
/** An id that no attempt ever has. */
const UNKNOWN_TASK = { id: '00000000-0000-7000-8000-000000000000-1', ref: null };

export interface InstanceExamination {
  examination: ProviderExamination;
  templateProblems: ReadonlyMap<string, string[]>;
}

/**
 * The part of the conformance kit without side effects, for a live backend: it starts no work and costs nothing.
 * @param remainingMs the remaining time until the caller's deadline.
 */
export async function examineInstance(
  { provider, type, loraDir }: Instance,
  templates: readonly string[] = [],
  remainingMs = Infinity,
): Promise<InstanceExamination> {
  const timeoutMs = Math.max(Math.min(TIMEOUT_MS, remainingMs), 0);
  const [report, ...problems] = await Promise.all([
    probe(provider, templates, timeoutMs),
    findIdentityProblem(provider, timeoutMs),
    loraDir === null ? null : withTimeout(findFolderProblem(loraDir, provider), timeoutMs, () => null),
  ]);
  const found = [...report.problems, ...problems.filter((problem) => problem !== null)];
  const examination = {
    id: provider.id,
    type,
    state: report.state === 'up' && found.length > 0 ? ('degraded' as const) : report.state,
    ...(report.version === undefined ? {} : { version: report.version }),
    ...(report.freeSlots === undefined ? {} : { free_slots: report.freeSlots }),
    problems: found,
  };
  return { examination, templateProblems: report.templateProblems ?? new Map() };
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

async function findFolderProblem(dir: string, provider: ComputeProvider): Promise<string | null> {
  const files = await readdir(dir).catch(() => null);
  const canWrite = await access(dir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!files || !canWrite) return `Its folder of LoRAs, ${dir}, does not exist or is not writable.`;
  if (!provider.findSharedFileProblem) return null;
  const stored = files.find((file) => file.endsWith('.safetensors'));
  if (stored !== undefined) return await provider.findSharedFileProblem(stored).catch(() => null);
  // Only a file shows whether both see the same folder.
  const trial = `kinora-doctor-${randomUUID()}.safetensors`;
  try {
    await writeFile(path.join(dir, trial), '');
    return await provider.findSharedFileProblem(trial).catch(() => null);
  } finally {
    await rm(path.join(dir, trial), { force: true });
  }
}
