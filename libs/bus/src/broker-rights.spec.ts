import { Controller } from '@nestjs/common';
import { event, rpc, signal } from '@kinora/contracts/shared/contract';
import { HealthServer } from '@kinora/service-kit';
import { type TestBus, TestBroker, type TestService, connectTestBus, startTestService, waitFor } from '@kinora/testing';
import { register } from '@kinora/metrics';
import { Bus } from './bus';
import { EVENT_STREAM, EventPublisher } from './event-stream';
import { type EventDelivery, Handles, OnEvent, OnSignal } from './handles.decorator';
import { retryDelayMs } from './kept-subscriptions';

const options = { timeoutMs: 20_000, errors: [] };
const known = rpc<object, string>('rights_spec.v1.known', options);
const added = rpc<object, string>('rights_spec.v1.added', {
  ...options,
  batching: { maxItems: 4, maxConcurrent: 1 },
});
const rang = signal<object>('rights_spec.v1.signal.rang');
const happened = event<object>('jobs.v1.event.rights_spec_happened');

/** Every right that the service needs. */
const CONSUMER = `${EVENT_STREAM}.rights_spec-jobs-v1-event-rights_spec_happened`;
const SUBSCRIBE = [
  '_INBOX.service.>',
  'rights_spec.v1.known rights_spec',
  'rights_spec.v1.added rights_spec',
  'rights_spec.v1.added.set rights_spec',
  'rights_spec.v1.signal.rang',
  'rights_spec.v1.signal.answers_lost',
];
const PUBLISH = [
  `$JS.API.STREAM.CREATE.${EVENT_STREAM}`,
  `$JS.API.STREAM.INFO.${EVENT_STREAM}`,
  `$JS.API.CONSUMER.CREATE.${CONSUMER}.jobs.v1.event.rights_spec_happened`,
  `$JS.API.CONSUMER.INFO.${CONSUMER}`,
  `$JS.API.CONSUMER.DELETE.${CONSUMER}`,
  `$JS.API.CONSUMER.MSG.NEXT.${CONSUMER}`,
  `$JS.ACK.${CONSUMER}.>`,
  'jobs.v1.event.rights_spec_happened',
  'rights_spec.v1.known',
  'rights_spec.v1.added',
  'rights_spec.v1.added.set',
  'rights_spec.v1.signal.answers_lost',
];

/** The settings of a broker that grants the service everything but these subjects. */
function allBut(...missing: string[]): string {
  const granted = (subjects: string[]): string =>
    JSON.stringify(subjects.filter((subject) => !missing.includes(subject.split(' ')[0] ?? '')));
  return `authorization { users: [
    { user: service, password: secret, permissions: {
      publish: ${granted(PUBLISH)}, subscribe: ${granted(SUBSCRIBE)}, allow_responses: { max: 4, expires: "1m" } } }
    { user: test, password: secret }
  ] }
`;
}

@Controller()
class RightsController {
  signals = 0;
  events = 0;

  @Handles(known)
  async known(_request: object): Promise<string> {
    return 'known';
  }

  @Handles(added)
  async added(_request: object): Promise<string> {
    return 'added';
  }

  @OnSignal(rang)
  async ring(_signal: object): Promise<void> {
    this.signals += 1;
  }

  @OnEvent(happened)
  async happen(_event: object, _delivery: EventDelivery): Promise<void> {
    this.events += 1;
  }
}

describe('rights on the broker', () => {
  let broker: TestBroker;
  let service: TestService;
  let client: TestBus;

  async function start(settings: string): Promise<void> {
    broker = await TestBroker.start(settings);
    const address = (user: string): string => broker.url.replace('//', `//${user}:secret@`);
    service = await startTestService({
      name: 'rights_spec',
      controllers: [RightsController],
      natsUrl: address('service'),
    });
    client = await connectTestBus(address('test'));
  }

  afterEach(async () => {
    await Promise.all([service.close(), client.close()]);
    await broker.close();
  });

  async function readiness(): Promise<{ status: number; body: string }> {
    const answer = await fetch(`http://127.0.0.1:${service.get(HealthServer).port}/readyz`);
    return { status: answer.status, body: await answer.text() };
  }

  const isReady = async (): Promise<boolean> => (await readiness()).status === 200;
  const missing = (): unknown[] =>
    service.log.of('broker_right_missing').map(({ operation, subject }) => [operation, subject]);
  const metric = (): Promise<string> => register.getSingleMetricAsString('kinora_bus_refused_subjects');

  it('that arrive after the service has started let it serve and be ready, without a restart', async () => {
    await start(allBut('rights_spec.v1.added', 'rights_spec.v1.added.set'));
    await waitFor(async () => !(await isReady()));
    expect(await client.bus.request(known, {})).toBe('known');
    await expect(client.bus.request(added, {})).rejects.toMatchObject({ code: 'capacity' });
    expect(missing()).toEqual([
      ['subscribe', 'rights_spec.v1.added'],
      ['subscribe', 'rights_spec.v1.added.set'],
    ]);
    expect(await metric()).toContain('{operation="subscribe",subject="rights_spec.v1.added"} 1');
    expect((await readiness()).body).not.toContain('rights_spec');

    await broker.reload(allBut());
    await waitFor(isReady);
    expect(await client.bus.request(added, {})).toBe('added');
    expect(await metric()).toContain('{operation="subscribe",subject="rights_spec.v1.added"} 0');
    expect(service.log.of('broker_right_granted')).toHaveLength(2);
  });

  it('that are removed from a running service make it unready until they are back', async () => {
    await start(allBut());
    await waitFor(isReady);
    expect(await client.bus.request(added, {})).toBe('added');
    await broker.reload(allBut('rights_spec.v1.added', 'rights_spec.v1.signal.rang'));
    await waitFor(async () => missing().length === 2 && !(await isReady()));
    expect(missing().toSorted()).toEqual([
      ['subscribe', 'rights_spec.v1.added'],
      ['subscribe', 'rights_spec.v1.signal.rang'],
    ]);
    await broker.reload(allBut());
    await waitFor(isReady);
    expect(await client.bus.request(added, {})).toBe('added');
    client.bus.signal(rang, {});
    await waitFor(() => service.get(RightsController).signals === 1);
  });

  it('to the answers of its own requests return too', async () => {
    await start(allBut());
    const bus = service.get(Bus);
    expect(await Promise.all([bus.request(known, {}), bus.request(added, {})])).toEqual(['known', 'added']);
    await broker.reload(allBut('_INBOX.service.>'));
    await waitFor(async () => !(await isReady()));
    expect(missing()).toContainEqual(['subscribe', '_INBOX.service.>']);
    await broker.reload(allBut());
    await waitFor(isReady);
    expect(await Promise.all([bus.request(known, {}), bus.request(added, {})])).toEqual(['known', 'added']);
  });

  it.each([
    ['to create the stream', `$JS.API.STREAM.CREATE.${EVENT_STREAM}`],
    ['to create the consumer', `$JS.API.CONSUMER.CREATE.${CONSUMER}.jobs.v1.event.rights_spec_happened`],
    ['to fetch', `$JS.API.CONSUMER.MSG.NEXT.${CONSUMER}`],
  ])('%s are needed to be ready where the service consumes an event', async (_title, subject) => {
    await start(allBut(subject));
    await waitFor(async () => !(await isReady()));
    expect(missing()).toContainEqual(['consume', happened.subject]);
    await broker.reload(allBut());
    await waitFor(isReady);
    await service.get(EventPublisher).publish(happened.subject, {}, 'one');
    await waitFor(() => service.get(RightsController).events > 0);
  });

  it('to compare the consumer with its stream are not needed: a broker of an earlier release lacks them', async () => {
    await start(allBut(`$JS.API.STREAM.INFO.${EVENT_STREAM}`, `$JS.API.CONSUMER.DELETE.${CONSUMER}`));
    await waitFor(() => service.log.of('event_consumer_not_compared').length === 1);
    expect(missing()).toEqual([]);
    expect(await isReady()).toBe(true);
    await service.get(EventPublisher).publish(happened.subject, {}, 'one');
    await waitFor(() => service.get(RightsController).events === 1);
  });

  it('to publish an event are reported until a publish succeeds', async () => {
    await start(allBut(happened.subject));
    const publish = (): Promise<void> => service.get(EventPublisher).publish(happened.subject, {}, 'two');
    await expect(publish()).rejects.toThrow(/Permissions Violation/i);
    expect(missing()).toEqual([['publish', happened.subject]]);
    expect(await isReady()).toBe(false);
    await broker.reload(allBut());
    await waitFor(() => publish().then(isReady, () => false));
  });
});

describe('the delay before a retry', () => {
  it('grows up to a bound, and differs between replicas', () => {
    const delaysMs = Array.from({ length: 40 }, (_, attempt) => retryDelayMs(attempt));
    expect(Math.max(...delaysMs)).toBeLessThanOrEqual(15_000);
    expect(Math.min(...delaysMs.slice(10))).toBeGreaterThanOrEqual(7_500);
    expect(delaysMs[0]).toBeLessThanOrEqual(500);
    expect(new Set(delaysMs).size).toBeGreaterThan(30);
  });
});
