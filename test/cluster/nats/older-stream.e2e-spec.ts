import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EVENT_STREAM, EventPublisher, type NatsConnection, connectNats } from '@kinora/bus';
import { createTestLog } from '@kinora/testing';
import { cacheFolder } from '../../../deploy/local/data-folder';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { fetchDebianProgram } from '../../../deploy/local/nats/debian-package';
import { findNatsBinary } from '../../../deploy/local/nats/nats-binary';
import { natsConfig, natsProcess } from '../../../deploy/local/nats/nats-process';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';

const WILDCARD = '*.v1.event.>';
const HAPPENED = 'jobs.v1.event.happened';
const STOP_WITHIN_MS = 20_000;

/** Debian's 2.9 takes the wildcard that versions before this one used. Servers from about 2.11 refuse it, also in their own store. */
describe('a stream that an earlier version made on an older server', () => {
  const { logger } = createTestLog();
  let folder: string;
  let older: string;
  let current: string;
  let port: number;
  let server: RunningProcess | undefined;
  let connection: NatsConnection | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-older-stream-'));
    older = await fetchDebianProgram({ packageName: 'nats-server', program: 'usr/sbin/nats-server' }, folder);
    current = await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env });
  });
  afterEach(stop);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function start(binary: string, store: string): Promise<NatsConnection> {
    await stop();
    [port] = (await findFreePorts(1)) as [number];
    await mkdir(path.join(folder, store), { recursive: true });
    const file = (ending: string): string => path.join(folder, `${store}.${ending}`);
    await writeFile(file('conf'), natsConfig(port, path.join(folder, store)));
    const spec = natsProcess({ binary, configFile: file('conf'), port, logFile: file('log'), env: process.env });
    server = await RunningProcess.start(spec);
    await untilReady(spec, server);
    connection = await connectNats({ url: `nats://127.0.0.1:${port}`, name: 'jobs', logger });
    return connection;
  }

  async function stop(): Promise<void> {
    await connection?.close();
    await server?.stop(STOP_WITHIN_MS);
    [connection, server] = [undefined, undefined];
  }

  /** As the version before did: the stream with its wildcard, and one event. */
  async function startAsBefore(store: string): Promise<NatsConnection> {
    const before = await start(older, store);
    const manager = await before.jetstreamManager();
    await manager.streams.add({ name: EVENT_STREAM, subjects: [WILDCARD] });
    await new EventPublisher(before, logger).publish(HAPPENED, { id: 'one' }, 'one');
    return before;
  }

  async function stored(at: NatsConnection): Promise<unknown[]> {
    const { streams } = await at.jetstreamManager();
    const { messages: count } = (await streams.info(EVENT_STREAM)).state;
    const consumer = await at.jetstream().consumers.get(EVENT_STREAM);
    const payloads: unknown[] = [];
    for await (const message of await consumer.fetch({ max_messages: count })) payloads.push(message.json());
    return payloads;
  }

  async function subjects(of: NatsConnection): Promise<string[]> {
    const { streams } = await of.jetstreamManager();
    return (await streams.info(EVENT_STREAM)).config.subjects;
  }

  it('gets the subjects of this version, if the services are upgraded before the server, and keeps its events', async () => {
    const before = await startAsBefore('services-first');
    const publisher = new EventPublisher(before, logger);
    await publisher.keepStream();
    expect(await subjects(before)).not.toContain(WILDCARD);
    await publisher.publish(HAPPENED, { id: 'two' }, 'two');
    const after = await start(current, 'services-first');
    expect(await stored(after)).toEqual([{ id: 'one' }, { id: 'two' }]);
  });

  it('is made again with its events, if the server is upgraded before the services', async () => {
    await startAsBefore('server-first');
    const after = await start(current, 'server-first');
    await new EventPublisher(after, logger).publish(HAPPENED, { id: 'two' }, 'two');
    expect(await subjects(after)).not.toContain(WILDCARD);
    expect(await stored(after)).toEqual([{ id: 'one' }, { id: 'two' }]);
  });
});
