import { createServer } from 'node:net';
import { Bus } from '@kinora/bus';
import { ManualClock, TestBroker, type TestService, startTestService, waitFor } from '@kinora/testing';
import { Gauge, register } from '@kinora/metrics';
import { HealthServer } from './health.server';
import { Readiness } from './readiness';

describe('health server', () => {
  let broker: TestBroker;
  let service: TestService;
  let clock: ManualClock;

  beforeEach(async () => {
    broker = await TestBroker.start();
    clock = new ManualClock();
    service = await startTestService({ name: 'health-spec', natsUrl: broker.url, clock });
  });

  afterEach(async () => {
    await service.close();
    await broker.close();
  });

  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${service.get(HealthServer).port}${path}`);

  const readiness = async (): Promise<{ status: number; error: unknown }> => {
    const response = await get('/readyz');
    return { status: response.status, error: ((await response.json()) as { error: unknown }).error };
  };

  /** Lets the time limit pass for the probes that have no answer. */
  const passLimitOf = async (probes: number): Promise<void> => {
    await waitFor(() => clock.waiting === probes);
    clock.advance(Readiness.PROBE_TIMEOUT_MS);
  };

  it('is ready while all dependencies answer', async () => {
    service.get(Readiness).add('database', async () => undefined);
    const response = await get('/readyz');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'ok',
      info: { lifecycle: { status: 'up' }, broker: { status: 'up' }, database: { status: 'up' } },
    });
  });

  it('is alive but not ready while a dependency fails, and names it', async () => {
    service.get(Readiness).add('database', () => Promise.reject(new Error('refused')));
    expect(await readiness()).toEqual({ status: 503, error: { database: { status: 'down', message: 'refused' } } });
    expect((await get('/livez')).status).toBe(200);
  });

  it('reports each dependency, with the reason if it fails', async () => {
    service.get(Readiness).add('database', () => Promise.reject(new Error('refused')));
    service.get(Readiness).add('engine', () => new Promise(() => undefined));
    const report = service.get(Readiness).report();
    await service.get(Bus).pingBroker();
    await passLimitOf(5);
    expect(await report).toEqual({
      dependencies: [
        { name: 'lifecycle', problem: null },
        { name: 'broker', problem: null },
        { name: 'broker_rights', problem: null },
        { name: 'database', problem: 'refused' },
        { name: 'engine', problem: 'no answer in time' },
      ],
    });
  });

  it('is not ready while a dependency does not answer at all, and starts no second probe meanwhile', async () => {
    let requested = 0;
    service.get(Readiness).add('database', () => {
      requested += 1;
      return new Promise(() => undefined);
    });
    const error = { database: { status: 'down', message: 'no answer in time' } };
    const answers = Promise.all([readiness(), readiness()]);
    await waitFor(() => clock.waiting === 8);
    await service.get(Bus).pingBroker();
    await passLimitOf(8);
    expect(await answers).toEqual([
      { status: 503, error },
      { status: 503, error },
    ]);
    expect(requested).toBe(1);
  });

  it('is not ready while the broker is away, and ready when it is back', async () => {
    await broker.stop();
    await waitFor(async () => (await readiness()).status === 503);
    expect(await readiness()).toMatchObject({ error: { broker: { status: 'down' } } });
    await broker.startAgain();
    await waitFor(async () => (await readiness()).status === 200);
  });

  it('is not ready while the broker hangs, though the connection is open', async () => {
    broker.pause();
    try {
      const error = { broker: { status: 'down', message: 'no answer in time' } };
      const answer = readiness();
      await passLimitOf(3);
      expect(await answer).toEqual({ status: 503, error });
      expect((await get('/livez')).status).toBe(200);
    } finally {
      broker.resume();
    }
    await waitFor(async () => (await readiness()).status === 200);
  });

  it('is alive while the broker is away, but not once the client has closed for good', async () => {
    await broker.stop();
    await waitFor(async () => (await readiness()).status === 503);
    expect((await get('/livez')).status).toBe(200);
    const refuser = createServer((socket) => {
      socket.write('INFO {"server_id":"refuser","version":"2.9.10","headers":true,"auth_required":true}\r\n');
      socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"));
    });
    refuser.listen(Number(new URL(broker.url).port), '127.0.0.1');
    await waitFor(async () => (await get('/livez')).status === 503);
    refuser.close();
    await broker.startAgain();
  });

  it('is not ready once the service begins to stop', async () => {
    service.get(Readiness).markStopping();
    expect(await readiness()).toMatchObject({ status: 503, error: { lifecycle: { message: 'stopping' } } });
  });

  it('serves metrics at /metrics, and nothing at other paths', async () => {
    const metrics = await get('/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain; version=');
    expect((await get('/')).status).toBe(404);
  });

  it('survives a metric that cannot be collected', async () => {
    const collect = (): never => {
      throw new Error('no such counter');
    };
    register.registerMetric(new Gauge({ name: 'health_spec', help: 'Cannot be had.', registers: [], collect }));
    expect((await get('/metrics')).status).toBe(500);
    expect(service.log.of('health_request_failed')).toHaveLength(1);
    register.removeSingleMetric('health_spec');
    expect((await get('/metrics')).status).toBe(200);
  });
});
