import { Injectable } from '@nestjs/common';

/** Wakes the loop that claims due deliveries, in this process only; other processes poll soon enough. */
@Injectable()
export class Doorbell {
  private wake: () => void = () => undefined;

  /** @param wake is called at every ring from now on. */
  answer(wake: () => void): void {
    this.wake = wake;
  }

  ring(): void {
    this.wake();
  }
}
