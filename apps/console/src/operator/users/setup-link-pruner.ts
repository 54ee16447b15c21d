import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { Pruner } from '../../background/pruner';
import { OperatorUserRepository } from './operator-user.repository';

/** Deletes the rows of setup links that expired unused. A used link is deleted by its use. */
@Injectable()
export class SetupLinkPruner extends Pruner {
  constructor(
    private readonly users: OperatorUserRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger);
  }

  protected prune(limit: number): Promise<number> {
    return this.users.pruneLinks(limit);
  }
}
