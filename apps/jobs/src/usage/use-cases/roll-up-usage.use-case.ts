import { Injectable } from '@nestjs/common';
import { ROLL_UP_PAGE, UsageRepository } from '../usage.repository';

/** Adds ended jobs to the sums by minute and by day, from which usage reports are computed. */
@Injectable()
export class RollUpUsage {
  constructor(private readonly usage: UsageRepository) {}

  async execute(): Promise<{ more: boolean }> {
    return { more: (await this.usage.rollUp()) === ROLL_UP_PAGE };
  }
}
