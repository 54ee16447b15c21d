import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { SessionRepository } from '../session/session.repository';
import { Pruner } from './pruner';

/** Deletes the rows of expired sessions. */
@Injectable()
export class SessionPruner extends Pruner {
  constructor(
    private readonly sessions: SessionRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger);
  }

  protected prune(limit: number): Promise<number> {
    return this.sessions.prune(limit);
  }
}
