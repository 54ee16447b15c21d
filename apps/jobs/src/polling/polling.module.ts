import { Module } from '@nestjs/common';
import { AttemptModule } from '../attempt/attempt.module';
import { DispatchModule } from '../dispatch/dispatch.module';
import { EndingModule } from '../ending/ending.module';
import { RoutingModule } from '../routing/routing.module';
import { AttemptPoller } from './attempt-poller';
import { InlinePoll } from './inline-poll';
import { PollAttempts } from './use-cases/poll-attempts.use-case';
import { ProbeProvider } from './use-cases/probe-provider.use-case';
import { ReceiveCallback } from './use-cases/receive-callback.use-case';

/** How attempts stand at their providers. */
@Module({
  imports: [AttemptModule, RoutingModule, EndingModule, DispatchModule],
  providers: [AttemptPoller, InlinePoll, PollAttempts, ProbeProvider, ReceiveCallback],
  exports: [InlinePoll, PollAttempts, ProbeProvider, ReceiveCallback],
})
export class PollingModule {}
