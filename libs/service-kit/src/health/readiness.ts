import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { DependencyHealth, HealthReport } from '@kinora/contracts/shared/health';

/** Resolves when the dependency answers, rejects when it does not. */
export type ReadinessProbe = () => Promise<void>;

/** What must answer before a service may be sent work. Whoever opens a dependency adds its probe. */
@Injectable()
export class Readiness {
  /** A dependency that says nothing for so long is away; callers of the probes wait a little longer. */
  static readonly PROBE_TIMEOUT_MS = 2_000;

  private readonly probes = new Map<string, ReadinessProbe>();
  private state: 'starting' | 'serving' | 'stopping' = 'starting';

  /** A dependency that hangs is asked once, and not once more by each look: every question may hold a connection. */
  add(name: string, probe: ReadinessProbe): void {
    let requested: Promise<void> | undefined;
    this.probes.set(name, () => (requested ??= probe().finally(() => (requested = undefined))));
  }

  list(): [string, ReadinessProbe][] {
    const lifecycle: ReadinessProbe = () =>
      this.state === 'serving' ? Promise.resolve() : Promise.reject(new Error(this.state));
    return [['lifecycle', lifecycle], ...this.probes];
  }

  /** Runs every probe, each for a bounded time. */
  async report(): Promise<HealthReport> {
    return { dependencies: await Promise.all(this.list().map(([name, probe]) => findHealth(name, probe))) };
  }

  /** Called when the service begins to take work. */
  markServing(): void {
    this.state = 'serving';
  }

  get isStarting(): boolean {
    return this.state === 'starting';
  }

  get isStopping(): boolean {
    return this.state === 'stopping';
  }

  /** Called first thing at shutdown, so that traffic moves elsewhere while work is finished. */
  markStopping(): void {
    this.state = 'stopping';
  }
}

async function findHealth(name: string, probe: ReadinessProbe): Promise<DependencyHealth> {
  try {
    await runProbe(probe);
    return { name, problem: null };
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : 'failed' };
  }
}

/** Rejects where the probe takes longer than a dependency may. */
export async function runProbe(probe: ReadinessProbe): Promise<void> {
  await withTimeout(probe(), Readiness.PROBE_TIMEOUT_MS, () => {
    throw new Error('no answer in time');
  });
}
