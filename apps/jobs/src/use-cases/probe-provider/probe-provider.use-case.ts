import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { WorkBell } from '../../attempt/work-bell';
import { Router } from '../../routing/router';

/** A backend that hangs must not hide its own return for longer. */
const PROBE_WITHIN_MS = 2_000;

/** Finds out whether an instance in trouble is there again: no job is spent on it, and no pause has to pass. */
@Injectable()
export class ProbeProvider {
  constructor(
    private readonly router: Router,
    private readonly bell: WorkBell,
  ) {}

  async execute(provider: ComputeProvider): Promise<{ more: false }> {
    if (!this.router.wantsProbe(provider.id)) return { more: false };
    const problem = await Promise.race([findProblem(provider), tooLate()]);
    this.router.reportProbe(provider.id, problem);
    if (problem === null) this.bell.ring('dispatch');
    return { more: false };
  }
}

/** By the cheaper request, where there is one. */
async function findProblem(provider: ComputeProvider): Promise<string | null> {
  if (provider.readCapacity)
    return await provider.readCapacity().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const { state, problems } = await provider.probe();
  return state === 'down' ? (problems[0] ?? 'It is down.') : null;
}

function tooLate(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(`It did not answer within ${PROBE_WITHIN_MS / 1_000} s.`), PROBE_WITHIN_MS).unref();
  });
}
