import type { ComputeExamination } from '@kinora/contracts/jobs/examination';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import path from 'node:path';
import type { Stack } from '../stack/find-stack';
import type { StackClient } from '../stack/stack-client';
import type { CheckResult, Remedy } from './check';

/** One run of the doctor: the state that its checks share. */
export class Examination {
  /** The results of the checks so far. */
  readonly results: CheckResult[] = [];
  private compute: Promise<ComputeExamination> | undefined;

  constructor(
    readonly client: StackClient,
    readonly stack: Stack,
    /** Of the API, if it was given or the stack's file has it. */
    readonly baseUrl: string | undefined,
  ) {}

  /** Which of these checks have failed. */
  failedOf(names: readonly string[]): string[] {
    return this.results
      .filter(({ name, outcome }) => outcome === 'failed' && names.includes(name))
      .map(({ name }) => name);
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
