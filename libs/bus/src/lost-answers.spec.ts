import { rpc } from '@kinora/contracts/shared/contract';
import { TestBroker, type TestLog, createTestLog, waitFor } from '@kinora/testing';
import { Bus } from './bus';
import { BusServer } from './bus-server';
import { type NatsConnection, connectNats } from './connection';
import { CONNECTION_LOST } from './lost-answers';
import { restMs } from './quorum-watch';

const options = { timeoutMs: 60_000, errors: [] };
const work = rpc<{ id: number }, number>('lost_answers.v1.work', options);
const batched = rpc<{ id: number }, number>('lost_answers.v1.batched', {
  ...options,
  batching: { maxItems: 4, maxConcurrent: 1 },
});

describe('a request whose answer is lost with a connection', () => {
  let broker: TestBroker;
  let log: TestLog;
  let server: BusServer;
  let connections: { caller: NatsConnection; handler: NatsConnection };
  let bus: Bus;
  let requested: number;
  let isWorking: boolean;

  beforeEach(async () => {
    broker = await TestBroker.start();
    log = createTestLog();
    const connect = (name: string): Promise<NatsConnection> =>
      connectNats({ url: broker.url, name, logger: log.logger });
    connections = { caller: await connect('caller'), handler: await connect('handler') };
    bus = new Bus(connections.caller, log.logger);
    server = new BusServer(connections.handler, 'lost_answers', log.logger);
    requested = 0;
    isWorking = false;
    for (const contract of [work, batched]) {
      // Nest notes the contract on the function, so each needs its own.
      const handler = (request: { id: number }): Promise<number> => handle(request);
      server.addHandler(contract.subject, handler, false, { contract });
    }
    await new Promise<void>((resolve) => server.listen(() => resolve()));
  });

  afterEach(async () => {
    await Promise.all([connections.caller.close(), connections.handler.close()]);
    await broker.close();
  });

  /** Answers at once when it works, and else never, as if the answer were lost. */
  async function handle({ id }: { id: number }): Promise<number> {
    requested += 1;
    return isWorking ? id : await new Promise<number>(() => undefined);
  }

  it.each(['caller', 'handler'] as const)(
    'fails before its timeout when the connection of the %s was lost',
    async (side) => {
      const outcomes = Promise.allSettled([bus.request(work, { id: 1 }), bus.request(batched, { id: 2 })]);
      await waitFor(() => requested === 2);
      await connections[side].reconnect();
      const capacity = { status: 'rejected', reason: { code: 'capacity' } };
      expect(await outcomes).toMatchObject([capacity, capacity]);
      const reasons = log.of('bus_request_unanswered').map(({ reason }) => reason);
      expect(reasons).toEqual([CONNECTION_LOST, CONNECTION_LOST]);
      isWorking = true;
      expect(await Promise.all([bus.request(work, { id: 3 }), bus.request(batched, { id: 4 })])).toEqual([3, 4]);
    },
  );
});

describe('the rest of a client between two servers without quorum', () => {
  it('is none at first, then grows up to ten minutes', () => {
    expect([1, 6, 7, 8, 30].map(restMs)).toEqual([0, 0, 30_000, 60_000, 600_000]);
  });
});
