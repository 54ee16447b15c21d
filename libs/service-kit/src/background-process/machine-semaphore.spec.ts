import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock, TYPESCRIPT_ARGUMENTS, waitFor } from '@kinora/testing';
import { MachineSemaphore } from './machine-semaphore';

/** The longest wait for a permit, and how often patient work looks for one. */
const LONGEST_WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** Work that runs until the spec ends it. */
function held(): { work: () => Promise<void>; begun: () => boolean; end: () => void } {
  let hasBegun = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = (): Promise<void> => {
    hasBegun = true;
    return ended;
  };
  return { work, begun: () => hasBegun, end: () => end() };
}

/** How many sockets the kernel has for the permits: one of each permit that is held, and one of each process that waits for it. */
function countSockets(name: string): number {
  return readFileSync('/proc/net/unix', 'utf8').split(`@${name}-`).length - 1;
}

/** Another process that has the permit, until it is killed. */
async function startHolder(name: string): Promise<ChildProcess> {
  const holder = fork(join(__dirname, 'holder.fixtures.ts'), [name], { execArgv: TYPESCRIPT_ARGUMENTS });
  await once(holder, 'message');
  return holder;
}

describe('a semaphore of the machine', () => {
  let name: string;
  beforeEach(() => (name = `kinora-spec-${randomUUID()}`));

  it('runs as much work at once as it has permits, over all its users', async () => {
    const [one, other] = [new MachineSemaphore(name, 2), new MachineSemaphore(name, 2)];
    const works = [held(), held(), held()] as const;
    const [first, second, third] = works;
    const ends = [one.run(first.work), other.run(second.work)];
    await waitFor(() => first.begun() && second.begun());
    ends.push(other.run(third.work));
    await waitFor(() => countSockets(name) > 2);
    expect(third.begun()).toBe(false);
    first.end();
    await waitFor(() => third.begun());
    for (const { end } of works) end();
    await Promise.all(ends);
  });

  it('lets the work of others wait until the permit is released', async () => {
    const [one, other] = [new MachineSemaphore(name, 1), new MachineSemaphore(name, 1)];
    const order: string[] = [];
    const first = held();
    const firstEnd = one.run(first.work).then(() => order.push('first'));
    await waitFor(first.begun);
    const second = other.run(() => Promise.resolve(order.push('second')));
    await waitFor(() => countSockets(name) > 1);
    // The holder has much work, and lets the other go before.
    const third = firstEnd.then(() => one.run(() => Promise.resolve(order.push('third'))));
    first.end();
    await Promise.all([second, third]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('gives patient work a permit only once no other work wants it', async () => {
    const urgent = new MachineSemaphore(name, 1);
    const clock = new ManualClock();
    const patient = new MachineSemaphore(name, 1, { isPatient: true, clock });
    const works = [held(), held(), held()] as const;
    const [first, second, last] = works;
    const ends = [urgent.run(first.work)];
    await waitFor(first.begun);
    ends.push(patient.run(last.work));
    // Its longest wait, and its sleep until the next poll.
    await waitFor(() => clock.waiting === 2);
    first.end();
    await waitFor(() => countSockets(name) === 0);
    clock.advance(POLL_INTERVAL_MS);
    await waitFor(() => countSockets(name) === 1);
    // The patient work has the permit, and offers it.
    ends.push(urgent.run(second.work));
    await waitFor(second.begun);
    expect(last.begun()).toBe(false);
    second.end();
    await waitFor(() => {
      clock.advance(POLL_INTERVAL_MS);
      return last.begun();
    });
    last.end();
    await Promise.all(ends);
  });

  it('has the permit back when its process is killed', async () => {
    const holder = await startHolder(name);
    const waiting = held();
    const end = new MachineSemaphore(name, 1, { clock: new ManualClock() }).run(waiting.work);
    await waitFor(() => countSockets(name) > 1);
    expect(waiting.begun()).toBe(false);
    holder.kill('SIGKILL');
    await waitFor(waiting.begun);
    waiting.end();
    await end;
  });

  it('runs the work without a permit after a long wait', async () => {
    const holder = await startHolder(name);
    const clock = new ManualClock();
    const result = new MachineSemaphore(name, 1, { clock }).run(() => Promise.resolve('done'));
    await waitFor(() => countSockets(name) > 1);
    clock.advance(LONGEST_WAIT_MS);
    expect(await result).toBe('done');
    holder.kill('SIGKILL');
  });

  it('releases the permit of work that fails', async () => {
    const semaphore = new MachineSemaphore(name, 1, { clock: new ManualClock() });
    await expect(semaphore.run(() => Promise.reject(new Error('cannot work')))).rejects.toThrow('cannot work');
    expect(await semaphore.run(() => Promise.resolve('done'))).toBe('done');
  });
});
