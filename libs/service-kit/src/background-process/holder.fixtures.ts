// A program that takes the only permit of the semaphore `NAME` and keeps it.
import { MachineSemaphore } from './machine-semaphore';

const [, , name] = process.argv;
if (process.send && name)
  void new MachineSemaphore(name, 1).run(() => {
    process.send?.('held');
    return new Promise<never>(() => undefined);
  });
