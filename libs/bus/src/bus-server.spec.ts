import { Controller } from '@nestjs/common';
import { event, rpc, signal } from '@kinora/contracts/shared/contract';
import { TestBroker, type TestBus, type TestService, connectTestBus, startTestService, waitFor } from '@kinora/testing';
import { type NatsConnection, connectNats } from './connection';
import { EventPublisher } from './event-stream';
import { type EventDelivery, Handles, OnSignal, OnEvent } from './handles.decorator';

const MOST_REQUESTS_AT_ONCE = 2_000;

/** Work is held until all requests have arrived, which takes long on a busy machine. */
const work = rpc<{ id: number }, { id: number }>('bus_server_spec.v1.work', {
  timeoutMs: 60_000,
  errors: ['capacity'],
});
const quick = rpc<{ id: number }, { id: number }>('bus_server_spec.v1.quick', { timeoutMs: 60_000, errors: [] });
const limited = rpc<{ id?: number }, { id: number }>('bus_server_spec.v1.meek', { timeoutMs: 10_000, errors: [] });
const signalSent = signal<object>('bus_server_spec.v1.signal.rang');
const eventSent = event<{ id: number }>('jobs.v1.event.bus_server_spec_something_happened');

/** Lets a test decide when work ends. */
class Gate {
  private opened = false;
  private readonly waiting: (() => void)[] = [];

  pass(): Promise<void> {
    return this.opened ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  open(): void {
    this.opened = true;
    for (const resume of this.waiting) resume();
  }

  get waitingCount(): number {
    return this.waiting.length;
  }
}

@Controller()
class WorkController {
  readonly gate = new Gate();
  readonly served: number[] = [];
  readonly received: string[] = [];
  signals = 0;

  @Handles(work)
  async work({ id }: { id: number }): Promise<{ id: number }> {
    await this.gate.pass();
    return { id };
  }

  @Handles(quick)
  async quick({ id }: { id: number }): Promise<{ id: number }> {
    this.served.push(id);
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

@Controller()
class LimitedController {
  @Handles(limited)
  async answer({ id }: { id?: number }): Promise<{ id: number }> {
    if (id === undefined) throw new Error('there is no id');
    return { id };
  }
}

describe('bus server', () => {
  const running: TestService[] = [];
  let client: TestBus;

  beforeAll(async () => {
    client = await connectTestBus();
  });

  afterEach(async () => {
    for (const service of running) service.get(WorkController).gate.open();
    await Promise.all(running.splice(0).map((service) => service.close()));
  });

  afterAll(async () => {
    await client.close();
  });

  const startReplica = async (): Promise<{ service: TestService; controller: WorkController }> => {
    const service = await startTestService({ name: 'bus_server_spec', controllers: [WorkController] });
    running.push(service);
    return { service, controller: service.get(WorkController) };
  };

  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  it('refuses a request above its limit of concurrent work, and accepts one when there is room', async () => {
    const { controller } = await startReplica();
    const accepted = numbers(MOST_REQUESTS_AT_ONCE).map((id) => client.bus.request(work, { id }));
    await waitFor(() => controller.gate.waitingCount === MOST_REQUESTS_AT_ONCE);
    await expect(client.bus.request(work, { id: -1 })).rejects.toMatchObject({ code: 'capacity', status: 503 });
    controller.gate.open();
    expect(await Promise.all(accepted)).toHaveLength(MOST_REQUESTS_AT_ONCE);
    expect(await client.bus.request(work, { id: -1 })).toEqual({ id: -1 });
  });

  it('answers the requests it has begun before it closes, and accepts no new ones', async () => {
    const { service, controller } = await startReplica();
    const begun = client.bus.request(work, { id: 1 });
    await waitFor(() => controller.gate.waitingCount === 1);
    let isClosed = false;
    const closed = service.close().then(() => (isClosed = true));
    const isTaken = (): Promise<boolean> =>
      client.bus.request(quick, { id: 2 }).then(
        () => true,
        () => false,
      );
    await waitFor(async () => !(await isTaken()));
    // Enough time to close for a server that does not wait.
    for (let times = 0; times < 50; times++) expect(await isTaken()).toBe(false);
    expect(isClosed).toBe(false);
    controller.gate.open();
    expect(await begun).toEqual({ id: 1 });
    await closed;
  });

  it('loses no request while one of its replicas closes', async () => {
    const [leaving] = [await startReplica(), await startReplica()];
    const answers = numbers(2_000).map(async (id) => {
      if (id === 1_000) void leaving.service.close();
      if (id % 100 === 0) await client.bus.request(quick, { id: -1 });
      return client.bus.request(quick, { id });
    });
    expect((await Promise.all(answers)).map(({ id }) => id)).toEqual(numbers(2_000));
  });

  it('delivers a signal once that was sent many times in one turn, and again when it is sent again', async () => {
    const { controller } = await startReplica();
    numbers(100).forEach(() => client.bus.signal(signalSent, {}));
    await waitFor(() => controller.signals > 0);
    client.bus.signal(signalSent, {});
    await waitFor(() => controller.signals > 1);
    expect(controller.signals).toBe(2);
  });

  it('shares requests and events among its replicas, and delivers each signal to all of them', async () => {
    const [first, second] = [await startReplica(), await startReplica()];
    const replicas = [first, second];
    const publisher = first.service.get(EventPublisher);
    await Promise.all(numbers(100).map((id) => publisher.publish(eventSent.subject, { id }, `bus_server_spec_${id}`)));
    await Promise.all(numbers(100).map((id) => client.bus.request(quick, { id })));
    client.bus.signal(signalSent, {});
    await waitFor(() => replicas.flatMap(({ controller }) => controller.received).length >= 100);
    await waitFor(() => replicas.every(({ controller }) => controller.signals === 1));
    const served = replicas.map(({ controller }) => controller.served);
    expect(served.flat().sort((a, b) => a - b)).toEqual(numbers(100));
    expect(served.every((ids) => ids.length > 0)).toBe(true);
    const received = replicas.flatMap(({ controller }) => controller.received);
    expect(new Set(received).size).toBe(received.length);
  });
});

describe('bus server on a broker that cannot carry even the error about a lost answer', () => {
  let broker: TestBroker;
  let service: TestService;
  let clientConnection: NatsConnection;

  beforeAll(async () => {
    broker = await TestBroker.start('max_payload: 64');
    service = await startTestService({ name: 'meek', controllers: [LimitedController], natsUrl: broker.url });
    clientConnection = await connectNats({ url: broker.url, name: 'asking', logger: service.log.logger });
  });

  afterAll(async () => {
    await Promise.all([clientConnection.close(), service.close()]);
    await broker.close();
  });

  it('logs the failure and continues', async () => {
    clientConnection.publish(limited.subject, '{}', { reply: 'bus_server_spec.nobody' });
    await waitFor(() => service.log.of('bus_message_failed').length === 1);
    const reply = await clientConnection.request(limited.subject, '{"id":1}', { timeout: limited.timeoutMs });
    expect(reply.json()).toEqual({ ok: { id: 1 } });
  });
});
