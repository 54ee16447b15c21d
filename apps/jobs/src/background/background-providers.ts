import { DispatchLoops } from './dispatch-loops';
import { ProbeLoops } from './probe-loops';
import { ProviderLoops } from './provider-loops';
import { Runner } from './runner';
import { CountSweeps } from './count-sweeps';
import { PruneSweeps } from './prune-sweeps';
import { StoreSweeps } from './store-sweeps';
import { Sweepers } from './sweepers';
import { CancelAttempts } from '../use-cases/cancel-attempts/cancel-attempts.use-case';
import { CollectOutputs } from '../use-cases/collect-outputs/collect-outputs.use-case';
import { OutputCollection } from '../use-cases/collect-outputs/output-collection';
import { OutputIntake } from '../use-cases/collect-outputs/output-intake';
import { DeleteOrphans } from '../use-cases/delete-orphans/delete-orphans.use-case';
import { DeleteExpiredOutputs } from '../use-cases/delete-expired-outputs/delete-expired-outputs.use-case';
import { NumberEvents } from '../use-cases/number-events/number-events.use-case';
import { DispatchCreated } from '../use-cases/dispatch-jobs/dispatch-created.use-case';
import { DispatchJobs } from '../use-cases/dispatch-jobs/dispatch-jobs.use-case';
import { AttemptInputs } from '../use-cases/dispatch-jobs/attempt-inputs';
import { JobInputs } from '../use-cases/dispatch-jobs/job-inputs';
import { RecordAnswer } from '../use-cases/dispatch-jobs/record-answer';
import { ModelQueueDispatch } from '../use-cases/dispatch-jobs/model-queue-dispatch';
import { Submissions } from '../use-cases/dispatch-jobs/submissions';
import { SubmitAttempt } from '../use-cases/dispatch-jobs/submit-attempt';
import { ClearFiles } from '../use-cases/clear-files/clear-files.use-case';
import { FinishContentDeletions } from '../use-cases/finish-content-deletions/finish-content-deletions.use-case';
import { EndHolds } from '../use-cases/end-holds/end-holds.use-case';
import { EndOverdueJobs } from '../use-cases/end-overdue-jobs/end-overdue-jobs.use-case';
import { PollAttempts } from '../use-cases/poll-attempts/poll-attempts.use-case';
import { ProbeProvider } from '../use-cases/probe-provider/probe-provider.use-case';
import { ReleaseOrphanHolds } from '../use-cases/release-orphan-holds/release-orphan-holds.use-case';
import { RollUpUsage } from '../use-cases/roll-up-usage/roll-up-usage.use-case';

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
