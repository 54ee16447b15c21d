import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger, Pruner } from '@kinora/service-kit';
import { OperatorUserRepository } from './operator-user.repository';

const EVERY_MS = 10 * 60_000;
const PAGE = 1_000;

/** Deletes the rows of setup links that expired unused. A used link is deleted by its use. */
@Injectable()
export class SetupLinkPruner extends Pruner {
  constructor(
    private readonly users: OperatorUserRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, EVERY_MS);
  }

  async prunePage(): Promise<boolean> {
    return (await this.users.pruneLinks(PAGE)) === PAGE;
  }
}
