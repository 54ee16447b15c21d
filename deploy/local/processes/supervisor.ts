import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessSpec } from './process-spec';
import { type Exit, RunningProcess } from './running-process';
import { untilReady } from './until-ready';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
/** A process that ran this long did not fail because of its start. */
const STABLE_AFTER_MS = 10_000;

/** Number of consecutive early failures, from the last run time and the number so far. */
export function countEarlyCrashes(before: number, livedMs: number): number {
  return livedMs < STABLE_AFTER_MS ? before + 1 : 0;
}

/** Zero for a process that ran well; grows with each consecutive early failure. */
export function restartDelayMs(crashes: number): number {
  return crashes === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (crashes - 1), LONGEST_DELAY_MS);
}

export interface SupervisorEvents {
  started(spec: ProcessSpec, pid: number): void;
  /** The process ended although no stop was requested. It will be restarted. */
  exited(spec: ProcessSpec, exit: Exit): void;
  /** The restart failed; another one follows. */
  startFailed(spec: ProcessSpec, error: unknown): void;
}

/**
 * Starts processes and replaces those that exit. It checks only that a process runs, never that it answers: a slow process, or
 * one paused by a debugger, still holds its work.
 */
export class Supervisor {
  private readonly running = new Map<string, RunningProcess>();
  private readonly stopping = new AbortController();
  /** Processes whose next exit was requested by `replace`. */
  private readonly replaced = new Set<string>();
  /** Ends the delay before a restart. */
  private readonly delays = new Map<string, AbortController>();

  constructor(private readonly events: SupervisorEvents) {}

  /** Resolves when the process is ready. From then on it is restarted after an exit; an earlier exit is a failed start. */
  async run(spec: ProcessSpec, signal?: AbortSignal): Promise<void> {
    const process = await this.start(spec);
    await untilReady(spec, process, signal);
    void this.keepRunning(spec, process);
  }

  /** Ends the named processes and restarts none of them. Each has the given time for an orderly stop. */
  async stop(names: string[], graceMs: number): Promise<void> {
    this.stopping.abort();
    const processes = names.flatMap((name) => this.running.get(name) ?? []);
    await Promise.all(processes.map((process) => process.stop(graceMs)));
  }

  /** Ends the named process, so that it is restarted at once, without the delay after repeated failures. */
  async replace(name: string, graceMs: number): Promise<void> {
    const delayed = this.delays.get(name);
    if (delayed) return delayed.abort();
    this.replaced.add(name);
    await this.running.get(name)?.stop(graceMs);
  }

  get names(): string[] {
    return [...this.running.keys()];
  }

  /** The id of the process that has the name now. */
  pidOf(name: string): number {
    const process = this.running.get(name);
    if (!process) throw new Error(`No process is called ${name}`);
    return process.pid;
  }

  private async start(spec: ProcessSpec): Promise<RunningProcess> {
    const process = await RunningProcess.start(spec);
    // A `stop` during the start did not include this process.
    if (this.stopping.signal.aborted) {
      await process.stop(0);
      throw new Error(`${spec.name} is no longer wanted`);
    }
    this.running.set(spec.name, process);
    this.events.started(spec, process.pid);
    return process;
  }

  private async keepRunning(spec: ProcessSpec, first: RunningProcess): Promise<void> {
    let crashes = 0;
    for (let current: RunningProcess | null = first; current; current = await this.restart(spec, crashes)) {
      const since = performance.now();
      const exit = await current.exited;
      if (this.stopping.signal.aborted) return;
      if (this.replaced.delete(spec.name)) {
        crashes = 0;
        continue;
      }
      crashes = countEarlyCrashes(crashes, performance.now() - since);
      this.events.exited(spec, exit);
    }
  }

  /** Null if all processes are stopping. */
  private async restart(spec: ProcessSpec, crashes: number): Promise<RunningProcess | null> {
    const { signal } = this.stopping;
    for (let attempt = crashes; ; attempt += 1) {
      await this.pause(spec.name, restartDelayMs(attempt));
      if (signal.aborted) return null;
      try {
        return await this.start(spec);
      } catch (error) {
        this.events.startFailed(spec, error);
      }
    }
  }

  /** Waits before the next start; `replace` and `stop` end the wait. */
  private async pause(name: string, delayMs: number): Promise<void> {
    const replaced = new AbortController();
    this.delays.set(name, replaced);
    const signal = AbortSignal.any([this.stopping.signal, replaced.signal]);
    await delay(delayMs, undefined, { signal }).catch(() => undefined);
    this.delays.delete(name);
  }
}
