import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { OutputCollection } from '../collecting/output-collection';
import { OutputCredentials } from '../collecting/output-credentials';
import { OutputIntake } from '../collecting/output-intake';
import { OutputMarker } from '../collecting/output-marker';
import { CollectOutputs } from '../collecting/use-cases/collect-outputs.use-case';
import { DispatchModule } from '../dispatch/dispatch.module';
import { EndingModule } from '../ending/ending.module';
import { JobModule } from '../job/job.module';
import { RoutingModule } from '../routing/routing.module';
import { SchedulingModule } from '../scheduling/scheduling.module';
import { AttemptPoller, InlinePoll } from './attempt-poller';
import { PollAttempts } from './use-cases/poll-attempts.use-case';
import { ProbeProvider } from './use-cases/probe-provider.use-case';
import { ReceiveCallback } from './use-cases/receive-callback.use-case';

/** How attempts stand at their providers, and the outputs of those that are done. */
@Module({
  imports: [JobModule, AttemptModule, RoutingModule, EndingModule, DispatchModule, SchedulingModule],
  providers: [
    AttemptPoller,
    InlinePoll,
    PollAttempts,
    ProbeProvider,
    ReceiveCallback,
    OutputCredentials,
    OutputIntake,
    OutputMarker,
    OutputCollection,
    CollectOutputs,
  ],
  exports: [CollectOutputs, InlinePoll, PollAttempts, ProbeProvider, ReceiveCallback],
})
export class PollingModule {}
