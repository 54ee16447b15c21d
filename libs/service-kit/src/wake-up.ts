import { Injectable } from '@nestjs/common';

/**
 * Wakes the loops of this process before their next poll, when there is work for them: work that other code of the process has
 * created, or that a signal of another process announces. A loop that is not woken finds the work at its next poll.
 */
@Injectable()
export class WakeUp<Loop extends string> {
  private readonly listeners = new Map<Loop, (() => void)[]>();

  subscribe(loop: Loop, listener: () => void): void {
    this.listeners.set(loop, [...(this.listeners.get(loop) ?? []), listener]);
  }

  notify(loop: Loop): void {
    for (const listener of this.listeners.get(loop) ?? []) listener();
  }
}
