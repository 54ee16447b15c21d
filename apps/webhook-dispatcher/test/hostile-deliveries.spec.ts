import { ConnectionWatch, HOSTILE_URLS, waitFor } from '@kinora/testing';
import { WakeUp } from '@kinora/service-kit';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

/** The most deliveries that one answer of the log holds. */
const MAX_LISTED = 1_000;

describe('deliveries to hostile URLs', () => {
  it('are each attempted, refused, and recorded without detail, and no connection is opened', async () => {
    const attemptOne = async (url: string): Promise<void> => {
      const { receiver } = dispatcher;
      const before = receiver.requests.length;
      await dispatcher.insert([jobFinished(url)]);
      dispatcher.get(WakeUp).notify('deliver');
      await waitFor(() => receiver.requests.length > before);
    };
    // One permitted address is among them. Its connection must be recorded, which proves that the watch would see the
    // others.
    const good = `127.0.0.1:${dispatcher.receiver.port}`;
    const watch = new ConnectionWatch();
    // Omits another port of the same host, which adds no case here, and text that PostgreSQL cannot store, which never
    // gets this far.
    const urls = HOSTILE_URLS.filter((url) => !url.includes('\0') && !url.endsWith(':8443/a'));
    await dispatcher.insert(urls.map((url) => jobFinished(url)));
    await attemptOne(`https://${good}/hook`);
    const list = dispatcher.get(ListDeliveries);
    const attempted = await waitFor(
      async () => {
        const { data } = await list.execute({ limit: MAX_LISTED });
        // The schedule repeats the first ones if the attempts take longer than a minute.
        return data.every(({ attempts }) => attempts > 0) ? data : null;
      },
      { timeoutMs: 60_000 },
    );
    watch.close();
    const refused = attempted.filter(({ last_error }) => last_error === 'blocked_address');
    expect(refused.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(new Set(refused.map(({ last_response_status }) => last_response_status))).toEqual(new Set([null]));
    // Connections of the process to its own database and broker use neither of these ports.
    const outside = watch.attempts.filter((target) => /:(443|8443)$/.test(target) || target === good);
    expect(outside).toEqual([good]);
  });
});
