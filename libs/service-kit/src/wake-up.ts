import { Injectable } from '@nestjs/common';

/**
 * Wakes the loops of this process before their next poll, when other code of the process has created work for them. Loops of
 * other processes find that work by polling.
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
