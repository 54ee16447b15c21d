import { once } from 'node:events';
import { createServer } from 'node:net';
import { Controller } from '@nestjs/common';
import { event, rpc, signal } from '@kinora/contracts/shared/contract';
import {
  type TestBus,
  TestBroker,
  type TestService,
  connectTestBus,
  damageStreams,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { Bus, connectBus } from './bus';
import { connectNats } from './connection';
import { durableName } from './event-consumer';
import { EVENT_STREAM, EventPublisher } from './event-stream';
import { type EventDelivery, Handles, OnSignal, OnEvent } from './handles.decorator';

/** The client's own default stops reconnecting after ten attempts. */
const MANY_ATTEMPTS = 12;
const TIMEOUT_MS = 60_000;
const CLOCK_AHEAD_MS = 600_000;
const CAPACITY = { code: 'capacity', status: 503 };

const work = rpc<{ id: number }, { id: number }>('broker_loss.v1.work', { timeoutMs: TIMEOUT_MS, errors: [] });
const signalSent = signal<object>('broker_loss.v1.signal.rang');
const eventSent = event<{ id: number }>('jobs.v1.event.broker_loss_something_happened');

@Controller()
class WorkController {
  readonly worked: number[] = [];
  readonly received: string[] = [];
  signals = 0;

  @Handles(work)
  async work({ id }: { id: number }): Promise<{ id: number }> {
    this.worked.push(id);
    return { id };
  }

  @OnSignal(signalSent)
  async sendSignal(_signal: object): Promise<void> {
    this.signals += 1;
  }

  @OnEvent(eventSent)
  async onEvent(_event: object, { messageId }: EventDelivery): Promise<void> {
    this.received.push(messageId);
  }
}

describe('when the broker is lost', () => {
  let broker: TestBroker;
  let service: TestService;
  let controller: WorkController;
  let client: TestBus;

  beforeEach(async () => {
    broker = await TestBroker.start();
    service = await startTestService({ name: 'broker_loss', controllers: [WorkController], natsUrl: broker.url });
    controller = service.get(WorkController);
    client = await connectTestBus(broker.url);
    await client.bus.request(work, { id: 0 });
  });

  afterEach(async () => {
    await Promise.all([service.close(), client.close()]);
    await broker.close();
  });

  const publish = (id: string): Promise<void> => service.get(EventPublisher).publish(eventSent.subject, { id }, id);

  const stopBroker = async (): Promise<void> => {
    await broker.stop();
    // Each connection notices the loss by itself, at a slightly different moment.
    await waitFor(() => !client.bus.isConnected() && !service.get(Bus).isConnected());
  };

  const bringBack = async (): Promise<void> => {
    await broker.startAgain();
    await waitFor(() =>
      client.bus.request(work, { id: 0 }).then(
        () => true,
        () => false,
      ),
    );
  };

  /** A server in place of the broker that closes every connection. */
  async function refuseConnections(count: number): Promise<void> {
    let refused = 0;
    const refuser = createServer((socket) => {
      refused += 1;
      socket.destroy();
    });
    refuser.listen(Number(new URL(broker.url).port), '127.0.0.1');
    await waitFor(() => refused >= count);
    refuser.close();
    await once(refuser, 'close');
  }

  it('fails requests, signals and events at once, and performs none of them later', async () => {
    await stopBroker();
    await expect(client.bus.request(work, { id: 1 })).rejects.toMatchObject(CAPACITY);
    client.bus.signal(signalSent, {});
    await expect(publish('late')).rejects.toThrow('The broker is away.');
    await bringBack();
    await publish('in time');
    await waitFor(() => controller.received.length > 0);
    expect(controller).toMatchObject({ signals: 0, received: ['in time'] });
    expect(controller.worked).not.toContain(1);
    await client.close();
    await expect(client.bus.request(work, { id: 3 })).rejects.toMatchObject(CAPACITY);
    client.bus.signal(signalSent, {});
  });

  it('keeps reconnecting, however long the broker is away', async () => {
    await stopBroker();
    await refuseConnections(2 * MANY_ATTEMPTS);
    await bringBack();
    expect(await client.bus.request(work, { id: 2 })).toEqual({ id: 2 });
  });

  it('reconnects although the clock was put back after an attempt', async () => {
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + CLOCK_AHEAD_MS);
    await stopBroker();
    await refuseConnections(MANY_ATTEMPTS);
    clock.mockRestore();
    await bringBack();
  });

  it('continues with an empty broker when its store was deleted', async () => {
    await publish('before');
    await waitFor(() => controller.received.length === 1);
    await stopBroker();
    await broker.wipe();
    await bringBack();
    await publish('after');
    await waitFor(() => controller.received.includes('after'));
  });

  it('continues with a stream that has lost its end, whose next numbers its consumers have had', async () => {
    for (const id of ['1', '2', '3', '4']) await publish(id);
    await waitFor(() => controller.received.length === 4);
    await stopBroker();
    await damageStreams(broker.storeDir, 'truncate');
    await bringBack();
    await publish('after');
    await waitFor(() => controller.received.includes('after'));
    const consumer = durableName('broker_loss', eventSent.subject);
    expect(service.log.of('event_consumer_ahead_of_stream')).toMatchObject([{ consumer, delivered: 4 }]);
  });

  it('continues when its stream was deleted, even if a subscriber receives all subjects', async () => {
    const operator = await connectNats({ url: broker.url, name: 'operator', logger: service.log.logger });
    operator.subscribe('>');
    await publish('before');
    await (await operator.jetstreamManager()).streams.delete(EVENT_STREAM);
    await publish('after');
    await waitFor(() => controller.received.includes('after'));
    await operator.close();
  });

  it('closes a service without waiting for it', async () => {
    await stopBroker();
    await service.close();
  });

  it('closes the bus of a program without waiting for it', async () => {
    const { bus, close } = await connectBus(broker.url, 'cli');
    await stopBroker();
    await waitFor(() => !bus.isConnected());
    await close();
    expect(bus.isClosed()).toBe(true);
  });

  it('rejects for a program that does not wait for the broker', async () => {
    await stopBroker();
    await expect(connectBus(broker.url, 'cli')).rejects.toThrow('CONNECTION_REFUSED');
  });
});
