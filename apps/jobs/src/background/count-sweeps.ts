import { Injectable } from '@nestjs/common';
import { NumberEvents } from '../use-cases/number-events/number-events.use-case';
import { RollUpUsage } from '../use-cases/roll-up-usage/roll-up-usage.use-case';
import type { Sweep } from './sweep';

const SECOND_MS = 1_000;

/** The sweeps that follow ended jobs: their usage is summed, and their events are numbered. */
@Injectable()
export class CountSweeps {
  constructor(
    private readonly rollUpUsage: RollUpUsage,
    private readonly numberEvents: NumberEvents,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'ended_jobs_to_roll_up', everyMs: SECOND_MS, work: () => this.rollUpUsage.execute() },
      { name: 'events_to_number', everyMs: SECOND_MS, work: () => this.numberEvents.execute() },
    ];
  }
}
