import { Injectable } from '@nestjs/common';
import type { ProviderTask, SubmitOutcome, TaskLora } from '@kinora/compute';
import { EgressAllowList, findUrlProblem } from '@kinora/egress';
import { crashPoint, InjectLogger, type Logger } from '@kinora/service-kit';
import { CallbackSigner, type CallbackTarget } from '@kinora/webhooks';
import { LEASE_MS } from '../attempt/attempt.repository';
import { ProgressRecorder } from '../attempt/progress-recorder';
import type { JobRow } from '../job/job.entity';
import { toTaskFacts } from '../job/task-facts';
import { JobsConfig } from '../jobs.config';
import { meterCall } from '../attempt/provider-meter';
import { Router } from '../routing/router';
import { AttemptInputs, type AttemptSupplies } from './attempt-inputs';
import { RecordAnswer } from './record-answer';
import type { Submission } from './submission';

/** The addresses at which compute backends report events of attempts. */
@Injectable()
export class CallbackAddresses {
  private readonly signer: CallbackSigner;
  private readonly baseUrl: string | null;

  constructor(config: JobsConfig) {
    this.signer = new CallbackSigner(config.urlSigningKey);
    this.baseUrl = findBaseUrl(config);
  }

  /** Undefined if backends cannot reach the gateway. */
  find(providerId: string, target: CallbackTarget): string | undefined {
    return this.baseUrl === null ? undefined : this.baseUrl + this.signer.pathOf(providerId, target);
  }
}

/** The public URL serves for callbacks only if every backend can reach it. The operator may set another one for own backends. */
function findBaseUrl({ callbackUrl, publicUrl }: Pick<JobsConfig, 'callbackUrl' | 'publicUrl'>): string | null {
  if (callbackUrl === 'none') return null;
  if (callbackUrl !== '') return callbackUrl.replace(/\/+$/, '');
  return findUrlProblem(publicUrl, EgressAllowList.NOTHING) === null ? publicUrl.replace(/\/+$/, '') : null;
}

export interface TaskParts {
  id: string;
  images: Buffer[];
  /** The LoRAs of the job, with their files if the instance shares a folder. */
  loras: TaskLora[];
  template: string | undefined;
  callbackUrl: string | undefined;
}

/** A job as the task for a provider; the prompt is the client's, byte for byte. */
export function toProviderTask(job: JobRow, { id, images, loras, template, callbackUrl }: TaskParts): ProviderTask {
  const { imageCount: _, ...facts } = toTaskFacts(job, id);
  return {
    ...facts,
    images,
    loras,
    ...(template === undefined ? {} : { template }),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  };
}

/** Sends an attempt to its provider. */
@Injectable()
export class SubmitAttempt {
  constructor(
    private readonly router: Router,
    private readonly inputs: AttemptInputs,
    private readonly progress: ProgressRecorder,
    private readonly answers: RecordAnswer,
    private readonly callbacks: CallbackAddresses,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** True if the provider has accepted the job. */
  async execute(submission: Submission, job: JobRow): Promise<boolean> {
    const supplies = await this.readInputs(submission, job);
    if (!supplies) return false;
    const { provider, attempt, route, lease } = submission;
    const callbackUrl = this.callbacks.find(provider.id, { jobId: job.id, attemptNumber: attempt.number });
    const task = toProviderTask(job, { id: attempt.upstream_id, ...supplies, template: route.template, callbackUrl });
    const onRunning = (): void => submission.begin(() => this.recordStart(submission));
    const submit = (): Promise<SubmitOutcome> => provider.submit(task, { signal: lease.signal, onRunning });
    const outcome = await meterCall(provider, 'submit', submit, ({ kind }) => kind);
    crashPoint('jobs.run.submit_answered');
    if (!submission.hasBegun) this.router.report(provider.id, job.id, outcome);
    await submission.startRecorded();
    return await this.answers.record(submission, outcome);
  }

  private async recordStart({ attempt, provider }: Submission): Promise<void> {
    const { job_id, number, fence } = attempt;
    // The start proves that the instance works. Its answer may take minutes, so the result is reported now.
    this.router.report(provider.id, job_id, { kind: 'accepted', ref: null, isRunning: true });
    const begun = { state: 'answering', next_poll_in_ms: LEASE_MS, problem: null } as const;
    try {
      await this.progress.record({ job_id, number, fence, ...begun });
    } catch (error) {
      this.logger.warn({ job_id, reason: String(error) }, 'job_start_not_recorded');
    }
  }

  /** Null if the inputs could not be read, or if the lease is lost. */
  private async readInputs(submission: Submission, job: JobRow): Promise<AttemptSupplies | null> {
    const supplies = await this.inputs.readFor(submission.attempt, job);
    // After a lost lease another process may have submitted the job already.
    if (supplies && (await submission.lease.isHeld())) return supplies;
    this.router.withdraw(submission.provider.id);
    if (supplies && submission.isGivenUp)
      await this.inputs.requeue(submission.attempt, null, 'never sent: the process that held it was shut down');
    return null;
  }
}
