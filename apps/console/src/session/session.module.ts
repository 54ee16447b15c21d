import { Module } from '@nestjs/common';
import { AttemptLimits } from './attempt-limits';
import { SessionHook } from './session.hook';
import { SessionRepository } from './session.repository';
import { Sessions } from './sessions';

/** What both halves share: the sessions and the limits of sign-ins. */
@Module({
  providers: [Sessions, SessionRepository, SessionHook, AttemptLimits],
  exports: [Sessions, SessionRepository, SessionHook, AttemptLimits],
})
export class SessionModule {}
