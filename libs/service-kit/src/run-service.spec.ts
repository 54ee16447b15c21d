import { type ChildProcess, spawn } from 'node:child_process';
import { type Server, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Controller } from '@nestjs/common';
import { Handles, connectNats } from '@kinora/bus';
import {
  type LogLine,
  TestBroker,
  type TestBus,
  type TestService,
  connectTestBus,
  createTestLog,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { exampleRpc } from './run-service.fixtures';

const PROGRAM = ['-r', './test/typescript.cjs', require.resolve('./run-service.fixtures')];

/** Lets the test decide when the service's work ends. */
class Permission {
  wasRequested = false;
  give: () => void = () => undefined;
  private readonly given = new Promise<void>((resolve) => (this.give = resolve));

  ask(): Promise<void> {
    this.wasRequested = true;
    return this.given;
  }
}

@Controller()
class CallerController {
  readonly permission = new Permission();

  @Handles(exampleRpc.requestPermission)
  requestPermission(_request: object): Promise<void> {
    return this.permission.ask();
  }
}

const isRefused = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => false,
    () => true,
  );

/** The service as a separate process, as in production. */
class Service {
  readonly lines: LogLine[] = [];
  stderr = '';
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>) {
    const child = spawn(process.execPath, PROGRAM, { env: { PATH: process.env.PATH, ...env } });
    createInterface(child.stdout).on('line', (line) => this.lines.push(JSON.parse(line) as LogLine));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.child = child;
  }

  event(name: string): Promise<LogLine> {
    return waitFor(() => this.lines.find(({ msg }) => msg === name));
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.child.kill(signal);
  }

  /** The exit code of the process; null if a signal ended it. */
  end(): Promise<{ code: number | null }> {
    return waitFor(() => {
      const { exitCode, signalCode } = this.child;
      return exitCode !== null || signalCode !== null ? { code: exitCode } : null;
    });
  }
}

describe('a running service', () => {
  const services: Service[] = [];
  let broker: TestBroker;
  let client: TestBus;
  let caller: TestService | undefined;
  let refuser: Server | undefined;

  beforeEach(async () => {
    broker = await TestBroker.start();
    client = await connectTestBus(broker.url);
  });

  afterEach(async () => {
    for (const service of services.splice(0)) service.stop('SIGKILL');
    refuser?.close();
    await Promise.all([client.close(), caller?.close()]);
    await broker.close();
  });

  function start(env: Record<string, string> = {}): Service {
    const service = new Service({ NATS_URL: broker.url, ...env });
    services.push(service);
    return service;
  }

  it('finishes its work on SIGTERM, accepts no new work, and exits with 0', async () => {
    caller = await startTestService({
      name: 'run_service_caller',
      controllers: [CallerController],
      natsUrl: broker.url,
    });
    const { permission } = caller.get(CallerController);
    const service = start();
    const { health_port } = await service.event('service_started');
    const readiness = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${String(health_port)}/readyz`)).status;
    expect(await readiness()).toBe(200);
    const answer = client.bus.request(exampleRpc.work, {});
    await waitFor(() => permission.wasRequested);
    service.stop();
    await waitFor(() => isRefused(client.bus.request(exampleRpc.ping, {})));
    expect(await readiness()).toBe(503);
    permission.give();
    expect(await answer).toEqual({ worked: true });
    expect(await service.end()).toEqual({ code: 0 });
  });

  it('survives messages that are no JSON', async () => {
    const service = start();
    await service.event('service_started');
    const raw = await connectNats({ url: broker.url, name: 'raw', logger: createTestLog().logger });
    for (const noise of ['', '{"id": ', Uint8Array.of(0xff, 0x00), '['.repeat(1_000_000)])
      raw.publish(exampleRpc.ping.subject, noise);
    await raw.flush();
    expect(await client.bus.request(exampleRpc.ping, {})).toBeNull();
    await waitFor(() => service.lines.filter(({ msg }) => msg === 'bus_request_malformed').length === 4);
    await raw.close();
  });

  it('exits with 0 on SIGTERM also while the broker is away', async () => {
    const service = start();
    await service.event('service_started');
    await broker.stop();
    await service.event('nats_status');
    service.stop();
    expect(await service.end()).toEqual({ code: 0 });
  });

  it('waits for a broker that is not there yet', async () => {
    await broker.stop();
    const service = start();
    await service.event('service_starting');
    await broker.startAgain();
    await service.event('service_started');
  });

  it('exits with 1 and one line if a setting is invalid', async () => {
    const service = start({ KINORA_HEALTH_PORT: '99999' });
    expect(await service.end()).toEqual({ code: 1 });
    expect(service.lines).toEqual([]);
    expect(service.stderr).toMatch(/^KINORA_HEALTH_PORT: .*99999.*\n$/);
  });

  it.each([
    [{ CRASH_AT: 'outbox.published' }, /^CRASH_AT: is for tests, which set NODE_ENV to test\n$/],
    [{ CRASH_AT_FILE: '/tmp/none' }, /^CRASH_AT_FILE: is for tests.*\n$/],
    [{ CRASH_AT: 'somewhere', NODE_ENV: 'test' }, /^CRASH_AT: there is no crash point "somewhere"\n$/],
  ])('refuses crash settings outside of a test or without a crash point: %j', async (env, problem) => {
    const service = start(env);
    expect(await service.end()).toEqual({ code: 1 });
    expect(service.stderr).toMatch(problem);
  });

  it('exits with 1 after an unexpected error, and logs its stack', async () => {
    const service = start();
    await service.event('service_started');
    await client.bus.request(exampleRpc.crash, {});
    expect(await service.end()).toEqual({ code: 1 });
    const { stack } = await service.event('service_crashed');
    expect(stack).toContain('nobody foresaw this');
    expect(stack).toContain('ExampleController.crash');
  });

  it('exits with 1 if the broker refuses its credentials, instead of running without messages', async () => {
    const service = start();
    await service.event('service_started');
    await broker.stop();
    refuser = createServer((socket) => {
      socket.write('INFO {"server_id":"refuser","version":"2.9.10","headers":true,"auth_required":true}\r\n');
      socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"));
    });
    refuser.listen(Number(new URL(broker.url).port), '127.0.0.1');
    expect(await service.end()).toEqual({ code: 1 });
    await service.event('service_crashed');
  });
});
