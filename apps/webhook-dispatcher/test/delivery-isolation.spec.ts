import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { waitFor } from '@kinora/testing';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { ScheduleDelivery } from '../src/use-cases/schedule-delivery.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

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
    await waitFor(() => open.size > 0);
    const events = Array.from({ length: 100 }, () => jobFinished(dispatcher.hookUrl()));
    await Promise.all(events.map((event) => dispatcher.get(ScheduleDelivery).execute(event)));
    await waitFor(() => receiver.requests.length === 100);
    expect(hangingReceiver.requests.length).toBeLessThan(10);
    expect(mostOpen).toBeLessThanOrEqual(2);
    // Once the host is known as slow, it gets one slot, so probes run one at a time.
    await waitFor(() => hangingReceiver.requests.length > 2 && open.size === 1);
    mostOpen = 0;
    const before = hangingReceiver.requests.length;
    await waitFor(() => hangingReceiver.requests.length > before);
    expect(mostOpen).toBe(1);
    const { data } = await dispatcher.get(ListDeliveries).execute({ status: 'delivered', limit: 1_000 });
    expect(data).toHaveLength(100);
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
    const begunAtMs = performance.now();
    await dispatcher.insert(others);
    await waitFor(() => hangingReceiver.requests.filter(({ path }) => path === '/other').length === 20);
    // One attempt that hangs holds the slot of its account for ten seconds.
    expect(performance.now() - begunAtMs).toBeLessThan(8_000);
    // An attempt without an answer would outlast the dispatcher, and end after this spec.
    hangingReceiver.answer = (_request, response) => response.end();
    for (const response of open) response.end();
  });
});
