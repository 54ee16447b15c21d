import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import type { DependencyHealth, HealthReport } from '@kinora/contracts/shared/health';
import { Clock } from '../clock';

/** Resolves when the dependency answers, rejects when it does not. */
export type ReadinessProbe = () => Promise<void>;

/** Dependencies that must answer before a service receives work. The module that opens a dependency adds its probe. */
@Injectable()
export class Readiness {
  /** A dependency without an answer within this time counts as away. Callers of the probes wait slightly longer. */
  static readonly PROBE_TIMEOUT_MS = 2_000;

  private readonly probes = new Map<string, ReadinessProbe>();
  private state: 'starting' | 'serving' | 'stopping' = 'starting';

  constructor(private readonly clock: Clock) {}

  /**
   * One call at a time: while a dependency hangs, further checks share the pending call, because each call may hold a
   * connection.
   */
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
    return { dependencies: await Promise.all(this.list().map(([name, probe]) => this.findHealth(name, probe))) };
  }

  /** Rejects if the probe exceeds its time limit. */
  async run(probe: ReadinessProbe): Promise<void> {
    await withTimeout(probe(), this.clock.deadline(Readiness.PROBE_TIMEOUT_MS), () => {
      throw new Error('no answer in time');
    });
  }

  /** Called when the service begins to accept work. */
  markServing(): void {
    this.state = 'serving';
  }

  get isStarting(): boolean {
    return this.state === 'starting';
  }

  get isStopping(): boolean {
    return this.state === 'stopping';
  }

  /** Called first at shutdown, so that traffic moves to other replicas while this one finishes its work. */
  markStopping(): void {
    this.state = 'stopping';
  }

  private async findHealth(name: string, probe: ReadinessProbe): Promise<DependencyHealth> {
    try {
      await this.run(probe);
      return { name, problem: null };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : 'failed' };
    }
  }
}
