import { DispatchLoops, ProbeLoops, ProviderLoops } from './provider-loops';
import { Runner } from './runner';
import { CountSweeps, PruneSweeps, StoreSweeps, Sweepers } from './sweepers';
import { CancelAttempts } from '../ending/use-cases/cancel-attempts.use-case';
import { CollectOutputs } from '../collecting/use-cases/collect-outputs.use-case';
import { OutputCollection } from '../collecting/output-collection';
import { OutputIntake } from '../collecting/output-intake';
import { DeleteOrphans } from '../deletion/use-cases/delete-orphans.use-case';
import { DeleteExpiredOutputs } from '../deletion/use-cases/delete-outputs.use-case';
import { NumberEvents } from '../reading/use-cases/list-events.query';
import { DispatchCreated } from '../dispatch/use-cases/dispatch-created.use-case';
import { DispatchJobs } from '../dispatch/use-cases/dispatch-jobs.use-case';
import { AttemptInputs } from '../dispatch/attempt-inputs';
import { JobInputs } from '../dispatch/job-inputs';
import { RecordAnswer } from '../dispatch/record-answer';
import { ModelQueueDispatch } from '../dispatch/model-queue-dispatch';
import { Submissions } from '../dispatch/submissions';
import { SubmitAttempt } from '../dispatch/submit-attempt';
import { ClearFiles, EndHolds } from '../ending/use-cases/settle-ended-jobs.use-case';
import { FinishContentDeletions } from '../deletion/use-cases/delete-content.use-case';
import { EndOverdueJobs } from '../ending/use-cases/end-overdue-jobs.use-case';
import { PollAttempts } from '../polling/use-cases/poll-attempts.use-case';
import { ProbeProvider } from '../polling/use-cases/probe-provider.use-case';
import { ReleaseOrphanHolds } from '../ending/use-cases/release-orphan-holds.use-case';
import { RollUpUsage } from '../usage/use-cases/roll-up-usage.use-case';

/** What sends jobs to providers, and collects their results. */
export const running = [
  Runner,
  ProviderLoops,
  ProbeLoops,
  ProbeProvider,
  DispatchLoops,
  DispatchJobs,
  DispatchCreated,
  ModelQueueDispatch,
  Submissions,
  SubmitAttempt,
  AttemptInputs,
  JobInputs,
  RecordAnswer,
  PollAttempts,
  CollectOutputs,
  OutputCollection,
  OutputIntake,
];

/** What repairs and prunes, at its own pace. */
export const sweeping = [
  Sweepers,
  EndOverdueJobs,
  CancelAttempts,
  EndHolds,
  ClearFiles,
  ReleaseOrphanHolds,
  DeleteExpiredOutputs,
  DeleteOrphans,
  FinishContentDeletions,
  StoreSweeps,
  CountSweeps,
  PruneSweeps,
  RollUpUsage,
  NumberEvents,
];
