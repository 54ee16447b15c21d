import { Injectable } from '@nestjs/common';

/** Resolves when the dependency answers, rejects when it does not. */
export type ReadinessProbe = () => Promise<void>;

/** What must answer before a service may be sent work. Whoever opens a dependency adds its probe. */
@Injectable()
export class Readiness {
  private readonly probes = new Map<string, ReadinessProbe>();
  private state: 'starting' | 'serving' | 'stopping' = 'starting';

  /** A dependency that hangs is asked once, and not once more by each look: every question may hold a connection. */
  add(name: string, probe: ReadinessProbe): void {
    let asked: Promise<void> | undefined;
    this.probes.set(name, () => (asked ??= probe().finally(() => (asked = undefined))));
  }

  list(): [string, ReadinessProbe][] {
    const lifecycle: ReadinessProbe = () =>
      this.state === 'serving' ? Promise.resolve() : Promise.reject(new Error(this.state));
    return [['lifecycle', lifecycle], ...this.probes];
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
