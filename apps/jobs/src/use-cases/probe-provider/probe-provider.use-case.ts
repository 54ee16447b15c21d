import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { ComputeProvider } from '@kinora/compute';
import { WakeUp } from '@kinora/service-kit';
import type { WokenLoop } from '../../attempt/woken-loop';
import { Router } from '../../routing/router';

/** A backend that hangs must not hide its own return for longer. */
const PROBE_WITHIN_MS = 2_000;

/** Finds out whether an instance in trouble is there again: no job is spent on it, and no pause has to pass. */
@Injectable()
export class ProbeProvider {
  constructor(
    private readonly router: Router,
    private readonly wakeUp: WakeUp<WokenLoop>,
  ) {}

  async execute(provider: ComputeProvider): Promise<{ more: false }> {
    if (!this.router.wantsProbe(provider.id)) return { more: false };
    const problem = await withTimeout(
      findProblem(provider),
      PROBE_WITHIN_MS,
      () => `It did not answer within ${PROBE_WITHIN_MS / 1_000} s.`,
    );
    this.router.reportProbe(provider.id, problem);
    if (problem === null) this.wakeUp.notify('dispatch');
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
