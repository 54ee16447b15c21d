import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ComputeExamination } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { currentCall, deadlineIn, runInCall, withTimeout } from '@kinora/bus/client';
import type { Stack } from '../stack/find-stack';
import type { StackClient } from '../stack/stack-client';

/** How long one check may take. */
export const CHECK_TIMEOUT_MS = 5_000;
/** Requests on the bus end this long before the check does: the error of a request says more than an expired check. */
const REQUESTS_END_BEFORE_MS = 300;
const NAME_WIDTH = 26;

/** What an operator can do about a failed check. */
export interface Remedy {
  log?: string;
  next?: string;
}

export interface CheckResult extends Remedy {
  name: string;
  ok: boolean;
  outcome: 'ok' | 'failed' | 'not_tried';
  detail: string;
}

/** Thrown by a check that does not apply here, or that needs another one to succeed. */
export class NotTried extends Error {
  constructor(
    reason: string,
    readonly remedy: Remedy = {},
  ) {
    super(reason);
  }
}

/**
 * Runs a check for a bounded time, including the requests that it sends on the bus; an error that it throws is its
 * result.
 */
export async function runCheck(
  name: string,
  remedy: Remedy,
  check: (signal: AbortSignal) => Promise<string>,
  withinMs = CHECK_TIMEOUT_MS,
): Promise<CheckResult> {
  const timeout = new AbortController();
  const giveUp = (): never => {
    timeout.abort();
    throw new Error(noAnswer(withinMs));
  };
  const call = {
    requestId: 'req_doctor',
    ...currentCall(),
    deadlineAtMs: deadlineIn(withinMs - REQUESTS_END_BEFORE_MS),
  };
  try {
    const detail = await withTimeout(
      runInCall(call, () => check(timeout.signal)),
      withinMs,
      giveUp,
    );
    return { name, ok: true, outcome: 'ok', detail };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof NotTried)
      return { name, ok: true, outcome: 'not_tried', detail: `not tried: ${message}`, ...error.remedy };
    return { name, ok: false, outcome: 'failed', detail: message, ...remedy };
  }
}

const MARK = { ok: 'ok  ', failed: 'FAIL', not_tried: '--  ' } as const satisfies Record<
  CheckResult['outcome'],
  string
>;

/** One line, followed by the remedy if the check did not succeed. */
export function formatCheck({ name, outcome, detail, log, next }: CheckResult): string {
  const line = `${MARK[outcome]}  ${name.padEnd(NAME_WIDTH)}  ${detail}`;
  const remedy = [log && `log:  ${log}`, next && `next: ${next}`].filter(Boolean).map((text) => `        ${text}`);
  return [line, ...remedy].join('\n');
}

/** How long something took, as text. */
export function secondsSince(startedAtMs: number): string {
  return `${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`;
}

export function noAnswer(withinMs = CHECK_TIMEOUT_MS): string {
  return `It did not answer within ${withinMs / 1_000} s.`;
}

/** One run of the doctor: the state that its checks share. */
export class Examination {
  readonly results: CheckResult[] = [];
  private compute: Promise<ComputeExamination> | undefined;

  constructor(
    readonly client: StackClient,
    readonly stack: Stack,
    /** Of the API, if it was given or the stack's file has it. */
    readonly baseUrl: string | undefined,
    /** How long the job at the sandbox may take. */
    readonly jobWithinMs: number,
  ) {}

  /** @throws NotTried if one of these checks has failed. */
  assertWell(...names: string[]): void {
    const missing = this.results.filter(({ name, outcome }) => outcome === 'failed' && names.includes(name));
    if (missing.length > 0) throw new NotTried(`${missing.map(({ name }) => name).join(' and ')} must answer first`);
  }

  /** Requested once, because it reaches every backend. */
  examineCompute(): Promise<ComputeExamination> {
    return (this.compute ??= this.client.request(jobsRpc.examineProviders, {}));
  }

  /** What to do if a service does not work. */
  remedyFor(service: string): Remedy {
    const { data_dir: dataDir } = this.stack;
    if (dataDir === undefined)
      return {
        log: `the logs of the service ${service} (docker compose logs ${service}, or kubectl logs of its pods)`,
      };
    const log = path.join(dataDir, 'logs', `${service}.log`);
    return { log, next: `tail -n 50 ${log}` };
  }
}

/** A group of checks; groups run one after another, and each reads the results of those before it. */
export type CheckGroup = (examination: Examination) => AsyncGenerator<CheckResult>;
