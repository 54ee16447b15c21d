import { Injectable } from '@nestjs/common';
import { ROLL_UP_PAGE, UsageRepository } from '../../usage/usage.repository';

/** Adds jobs that have ended to the sums by minute and by day, from which usage is told. */
@Injectable()
export class RollUpUsage {
  constructor(private readonly usage: UsageRepository) {}

  async execute(): Promise<{ more: boolean }> {
    return { more: (await this.usage.rollUp()) === ROLL_UP_PAGE };
  }
}
