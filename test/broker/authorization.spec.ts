import {
  Bus,
  BusServer,
  connectNats,
  durableName,
  EVENT_STREAM,
  EventPublisher,
  type NatsConnection,
} from '@kinora/bus';
import { createTestLog, TestBroker, waitFor } from '@kinora/testing';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { type DeclaredContract, declaredContracts } from '../../deploy/build/generate/contracts/declared-contracts';
import { handlers } from '../../deploy/build/generate/contracts/handlers';
import {
  brokerUsers,
  passwordVariable,
  renderAuthorization,
} from '../../deploy/build/generate/broker/authorization-file';
import type { BrokerUser } from '../../deploy/build/generate/broker/broker-permissions';
import { type ContractUser, contractUsers } from '../../deploy/build/generate/broker/contract-users';

type Attempt = (connection: NatsConnection, subject: string) => void;
type EchoContract = RpcContract<{ echo: string }, { echo: string }>;

const USER_OF_APP: Record<string, string> = { cli: 'operator' };
const userOf = ({ app }: ContractUser): string => USER_OF_APP[app] ?? app;
const subjectOf = ({ contract }: DeclaredContract): string => contract.subject;
const consumersOf = ({ app, served }: ContractUser): string[] =>
  served.filter(({ contract }) => contract.kind === 'event').map((event) => durableName(app, subjectOf(event)));

const publish: Attempt = (connection, subject) => connection.publish(subject);
const subscribe: Attempt = (connection, subject) => void connection.subscribe(subject, { callback: () => undefined });

describe('users of the broker', () => {
  const log = createTestLog();
  const connections: NatsConnection[] = [];
  const servers: BusServer[] = [];
  const received: { user: string; subject: string }[] = [];
  let broker: TestBroker;
  let declared: DeclaredContract[];
  let programs: ContractUser[];
  let users: BrokerUser[];

  beforeAll(async () => {
    declared = await declaredContracts();
    programs = contractUsers(declared, await handlers());
    users = await brokerUsers();
    const text = users.reduce(
      (conf, { user }) => conf.replace(`$${passwordVariable(user)}\n`, `"secret-of-${user}"\n`),
      renderAuthorization(users),
    );
    broker = await TestBroker.start(text);
    for (const program of programs) await serve(program);
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(connections.map((connection) => connection.close()));
    await broker.close();
  });

  async function connectAs(user: string): Promise<NatsConnection> {
    const url = broker.url.replace('nats://', `nats://${user}:secret-of-${user}@`);
    const connection = await connectNats({ url, name: user, logger: log.logger });
    connections.push(connection);
    return connection;
  }

  /** A stand-in for the service: it answers each request with the request itself, over the bus that services use. */
  async function serve(program: ContractUser): Promise<void> {
    const user = userOf(program);
    const server = new BusServer(await connectAs(user), program.service, log.logger);
    for (const { contract } of program.served) {
      const note = (payload: unknown): Promise<unknown> => {
        received.push({ user, subject: contract.subject });
        return Promise.resolve(payload);
      };
      server.addHandler(contract.subject, note, contract.kind !== 'rpc', { contract });
    }
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(() => resolve()));
  }

  /** The broker refuses each of the subjects, and no other one. */
  async function expectRefused(user: string, subjects: string[], attempt: Attempt = publish): Promise<void> {
    const connection = await connectAs(user);
    const refused: string[] = [];
    void (async () => {
      for await (const { permissionContext } of connection.status())
        if (permissionContext) refused.push(permissionContext.subject);
    })();
    for (const subject of subjects) attempt(connection, subject);
    await waitFor(() => refused.length === subjects.length);
    expect(refused.toSorted()).toEqual(subjects.toSorted());
  }

  it('let every program send the requests that its code sends, alone and in batches, and receive the responses', async () => {
    for (const program of programs) {
      const bus = new Bus(await connectAs(userOf(program)), log.logger);
      for (const { contract } of program.used.filter((it) => it.contract.kind === 'rpc')) {
        const requested = ['one', 'two', 'three'].map((echo) => bus.request(contract as EchoContract, { echo }));
        expect(await Promise.all(requested)).toEqual([{ echo: 'one' }, { echo: 'two' }, { echo: 'three' }]);
      }
    }
  });

  it('let events reach their subscribers, from a store that the test has not prepared', async () => {
    const jobs = new EventPublisher(await connectAs('jobs'), log.logger);
    await jobs.publish('jobs.v1.event.job_finished', { job: 1 }, 'evt_1');
    await waitFor(() => received.some(({ subject }) => subject === 'jobs.v1.event.job_finished'));
    expect(log.lines.filter(({ msg }) => msg === 'event_consumer_interrupted' || msg === 'nats_error')).toEqual([]);
  });

  it.each([
    'gateway',
    'jobs',
    'billing',
    'moderation',
    'catalog',
    'webhook-dispatcher',
    'console-customer',
    'console-operator',
    'operator',
  ])('keep %s from every subject that its code does not use', async (user) => {
    const own = programs.find((program) => userOf(program) === user);
    const foreign = declared.filter((contract) => !own?.used.includes(contract)).map(subjectOf);
    const unheard = declared.filter((contract) => !own?.served.includes(contract)).map(subjectOf);
    expect(foreign.length).toBeGreaterThan(0);
    await expectRefused(user, foreign);
    await expectRefused(user, unheard, subscribe);
  });

  it("keep the console's customers from everything that makes money, accounts or limits", async () => {
    const forbidden = [
      ...['adjust_balance', 'top_up', 'grant_credit', 'set_status', 'set_limits', 'create_account'],
      ...['create_key', 'revoke_key', 'create_portal_link', 'rotate_webhook_secret'],
    ].map((verb) => `billing.v1.${verb}`);
    await expectRefused('console-customer', forbidden);
  });

  it('keep each from subscribing to all subjects, to requests outside its queue group, and to the responses of others', async () => {
    const taps = [
      '>',
      '_INBOX.>',
      '_INBOX.gateway.>',
      'billing.v1.admit',
      'jobs.v1.event.>',
      '$JS.API.>',
      '*.v1.signal.*',
    ];
    for (const user of ['billing', 'jobs', 'operator']) await expectRefused(user, taps, subscribe);
  });

  it('let the administrator see and change how the stream is stored, and read or write no event', async () => {
    const connection = await connectAs('administrator');
    const { streams, consumers } = await connection.jetstreamManager();
    await streams.update('KINORA_EVENTS', { max_age: 3_600_000_000_000 });
    expect((await streams.info('KINORA_EVENTS')).config.max_age).toBe(3_600_000_000_000);
    expect((await consumers.list('KINORA_EVENTS').next()).length).toBeGreaterThan(0);
    const requests = [
      '$JS.API.STREAM.CREATE.ANOTHER',
      '$JS.API.STREAM.MSG.GET.KINORA_EVENTS',
      '$JS.API.DIRECT.GET.KINORA_EVENTS',
      '$JS.API.CONSUMER.CREATE.KINORA_EVENTS.another.jobs.v1.event.job_finished',
      'jobs.v1.event.job_finished',
      'jobs.v1.get',
    ];
    await expectRefused('administrator', requests);
  });

  it('let each delete its own consumers, which it makes again, and keep it from those of others', async () => {
    const all = programs.flatMap(consumersOf);
    for (const program of programs) {
      const [user, own] = [userOf(program), consumersOf(program)];
      const { consumers } = await (await connectAs(user)).jetstreamManager();
      for (const consumer of own) expect(await consumers.delete(EVENT_STREAM, consumer)).toBe(true);
      const foreign = all.filter((consumer) => !own.includes(consumer));
      const requests = foreign.flatMap((consumer) =>
        ['DELETE', 'INFO', 'MSG.NEXT'].map((verb) => `$JS.API.CONSUMER.${verb}.${EVENT_STREAM}.${consumer}`),
      );
      await expectRefused(user, requests);
    }
    received.length = 0;
    const jobs = new EventPublisher(await connectAs('jobs'), log.logger);
    await jobs.publish('jobs.v1.event.job_finished', { job: 2 }, 'evt_2');
    await waitFor(() => received.some(({ subject }) => subject === 'jobs.v1.event.job_finished'));
  });

  it('keep each from the stream, except for what creating and keeping it takes', async () => {
    const requests = [
      '$JS.API.STREAM.DELETE.KINORA_EVENTS',
      '$JS.API.STREAM.PURGE.KINORA_EVENTS',
      '$JS.API.CONSUMER.CREATE.KINORA_EVENTS.another.jobs.v1.event.job_finished',
    ];
    const update = '$JS.API.STREAM.UPDATE.KINORA_EVENTS';
    for (const user of ['jobs', 'webhook-dispatcher', 'gateway']) {
      // Services that publish events keep the number of replicas.
      await expectRefused(user, user === 'jobs' ? requests : [...requests, update]);
    }
  });
});
