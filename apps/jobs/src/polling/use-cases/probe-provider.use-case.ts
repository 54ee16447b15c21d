import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { ComputeProvider } from '@kinora/compute';
import { WakeUp } from '@kinora/service-kit';
import type { WokenLoop } from '../../attempt/progress-recorder';
import { Router } from '../../routing/router';

/** Bounds a probe, so that a backend that hangs does not delay the detection of its return. */
const PROBE_WITHIN_MS = 2_000;

/** Probes an instance whose circuit breaker is open. Its return is detected without a job, and before the end of the pause. */
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

/** Uses the cheaper request if the provider has one. */
async function findProblem(provider: ComputeProvider): Promise<string | null> {
  if (provider.readCapacity)
    return await provider.readCapacity().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const { state, problems } = await provider.probe();
  return state === 'down' ? (problems[0] ?? 'It is down.') : null;
}
