import { Injectable } from '@nestjs/common';

/** Wakes whoever looks for due deliveries, in this process only: the others look by themselves soon enough. */
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
