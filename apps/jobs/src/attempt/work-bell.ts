import { Injectable } from '@nestjs/common';

/** What there may be to do: jobs to dispatch, outputs to collect. */
export type Work = 'dispatch' | 'collect';

/** Lets whoever makes work tell the loops of this process, which would otherwise find it at their next look. */
@Injectable()
export class WorkBell {
  private readonly listeners: Record<Work, (() => void)[]> = { dispatch: [], collect: [] };

  onRing(work: Work, listener: () => void): void {
    this.listeners[work].push(listener);
  }

  ring(work: Work): void {
    for (const listener of this.listeners[work]) listener();
  }
}
