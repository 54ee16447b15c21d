import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ManualClock, waitFor } from '@kinora/testing';
import { ATTEMPT_TIMEOUT_MS } from '../src/delivery/webhook-sender';
import { ScheduleDelivery } from '../src/use-cases/schedule-delivery.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

/** No attempt times out before the spec says so. */
const clock = new ManualClock();
const dispatcher = useDispatcher(1, clock);

describe('a receiver that never answers', () => {
  afterAll(async () => {
    // Ends the attempt that waits for an answer: its timeout is longer than the drain, so it would outlast the dispatcher.
    await dispatcher.hangingReceiver.close();
  });

  it('delays no other receiver, although a thousand deliveries wait for it, and is probed by one attempt at a time', async () => {
    const { receiver, hangingReceiver } = dispatcher;
    const open = new Set<ServerResponse>();
    let mostOpen = 0;
    hangingReceiver.answer = (_request, response) => {
      mostOpen = Math.max(mostOpen, open.add(response).size);
      response.on('close', () => open.delete(response));
    };
    const account_id = randomUUID();
    const waiting = Array.from({ length: 1_000 }, () => ({
      ...jobFinished(`https://127.0.0.1:${hangingReceiver.port}/hook`),
      account_id,
    }));
    await dispatcher.insert(waiting);
    await waitFor(() => open.size === 2);
    const events = Array.from({ length: 100 }, () => jobFinished(dispatcher.hookUrl()));
    await Promise.all(events.map((event) => dispatcher.get(ScheduleDelivery).execute(event)));
    const delivered = () => dispatcher.list({ status: 'delivered', limit: 1_000 });
    await waitFor(async () => (await delivered()).length === 100);
    expect(receiver.requests).toHaveLength(100);
    expect(hangingReceiver.requests).toHaveLength(2);
    // Once the host is known as slow, it gets one slot, so probes run one at a time.
    clock.advance(ATTEMPT_TIMEOUT_MS);
    await waitFor(() => hangingReceiver.requests.length > 2 && open.size === 1);
    mostOpen = 0;
    const before = hangingReceiver.requests.length;
    clock.advance(ATTEMPT_TIMEOUT_MS);
    await waitFor(() => hangingReceiver.requests.length > before);
    expect(mostOpen).toBe(1);
    // The same host hangs for one account only: each has slots and a history of its own there.
    hangingReceiver.answer = ({ path }, response) => {
      if (path === '/other') response.end();
      else response.on('close', () => open.delete(response));
    };
    const other_account_id = randomUUID();
    const others = Array.from({ length: 20 }, () => ({
      ...jobFinished(`https://127.0.0.1:${hangingReceiver.port}/other`),
      account_id: other_account_id,
    }));
    await dispatcher.insert(others);
    // The attempt that hangs holds the slot of its account all the while.
    await waitFor(() => hangingReceiver.requests.filter(({ path }) => path === '/other').length === 20);
    expect(open.size).toBe(1);
    // An attempt without an answer would outlast the dispatcher, and end after this spec.
    hangingReceiver.answer = (_request, response) => response.end();
    for (const response of open) response.end();
  });
});
