import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, Pruner } from '@kinora/service-kit';
import { SessionRepository } from '../session/session.repository';

const EVERY_MS = 10 * 60_000;
const PAGE = 1_000;

/** Deletes the rows of expired sessions. */
@Injectable()
export class SessionPruner extends Pruner {
  constructor(
    private readonly sessions: SessionRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, EVERY_MS);
  }

  async prunePage(): Promise<boolean> {
    return (await this.sessions.prune(PAGE)) === PAGE;
  }
}
