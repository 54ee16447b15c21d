import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectNats } from '@kinora/bus';
import { ObjectStore, UrlSigner } from '@kinora/object-store';
import { type Clock, KitModule, Readiness, loadConfig } from '@kinora/service-kit';
import {
  type TestBus,
  TestBroker,
  type TestLog,
  assertResolvable,
  closeAll,
  connectTestBus,
  createTestLog,
  startTestService,
} from '@kinora/testing';
import { GatewayConfig } from '../src/gateway.config';
import { GatewayModule } from '../src/gateway.module';
import { createGateway } from '../src/create-gateway';
import { heldBodyBytes } from '../src/http/http.metrics';
import { JobWaits } from '../src/job-watch/job-waits';
import { TestContexts } from './contexts.fixtures';
import { fakeContexts } from './fake-contexts.fixtures';
import { GatewayProgram } from './gateway-program.fixtures';
import { TestClient } from './http-client.fixtures';

/**
 * `test/typescript.cjs` compiles TypeScript in the worker thread; jest compiles only the modules that it loads itself.
 */
export const LARGE_BODY_WORKER = {
  file: join(__dirname, '../src/http/large-body.worker.ts'),
  execArgv: ['--require', join(__dirname, '../../../test/typescript.cjs')],
};

type Close = () => Promise<void>;

/** The real gateway on a free loopback port. */
export interface TestGateway {
  port: number;
  client: TestClient;
  objects: ObjectStore;
  signer: UrlSigner;
  connections: () => Promise<number>;
  waitingRequests: () => number;
  /** Bytes of request bodies in memory, as the metric reports them: of the gateway that was started last. */
  heldBodyBytes: () => Promise<number>;
  /** Marks the gateway as stopping; it still serves requests. */
  markStopping: () => void;
  /** Refuses new connections and completes running requests. */
  close: Close;
}

/** A gateway with its own broker and folder, and fakes for the services behind it. */
export class GatewayTestBed {
  readonly contexts = new TestContexts();
  readonly log: TestLog = createTestLog();
  /** Of the first gateway. */
  readonly client = new TestClient(() => this.gateway.port);
  gateway!: TestGateway;
  folder!: string;
  natsUrl!: string;
  /** Sends signals as the services do. */
  bus!: TestBus['bus'];
  private readonly closing: Close[] = [];

  /** @param clock of its gateways; the system's by default */
  constructor(private readonly clock?: Clock) {}

  /** Starts all parts. `close` stops those that were started, even if a later one failed to start. */
  async start(settings: NodeJS.ProcessEnv = {}): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'kinora-gateway-'));
    this.closing.unshift(() => rm(this.folder, { recursive: true, force: true }));
    const broker = await TestBroker.start();
    this.natsUrl = broker.url;
    this.closing.unshift(() => broker.close());
    const { bus, close } = await connectTestBus(broker.url);
    this.bus = bus;
    this.closing.unshift(close);
    const controllers = [fakeContexts(this.contexts)];
    const services = await startTestService({ name: 'contexts', natsUrl: broker.url, controllers });
    this.closing.unshift(() => services.close());
    this.gateway = await this.startGateway(settings);
  }

  /** Before each test. */
  reset(): void | Promise<void> {
    this.contexts.reset();
  }

  get objectStoreDir(): string {
    return join(this.folder, 'objects');
  }

  async close(): Promise<void> {
    await closeAll(this.closing);
  }

  async startGateway(settings: NodeJS.ProcessEnv, clock = this.clock): Promise<TestGateway> {
    const config = loadConfig(GatewayConfig, { ...this.settings(), ...settings });
    const connection = await connectNats({ url: this.natsUrl, name: 'gateway', logger: this.log.logger });
    this.closing.unshift(() => connection.close());
    const kit = KitModule.forService(config, this.log.logger, connection, clock);
    const rootModule = { module: class TestRootModule {}, imports: [kit, GatewayModule] };
    await assertResolvable(rootModule);
    const app = await createGateway({
      rootModule,
      config,
      logger: this.log.logger,
      connection,
      largeBodyWorker: LARGE_BODY_WORKER,
    });
    let closed: Promise<void> | undefined;
    const close: Close = () => (closed ??= app.close());
    this.closing.unshift(close);
    await app.startAllMicroservices();
    await app.listen(0, '127.0.0.1');
    const server = app.getHttpServer();
    const { port } = server.address() as AddressInfo;
    return {
      port,
      client: new TestClient(() => port),
      objects: app.get(ObjectStore),
      signer: app.get(UrlSigner),
      connections: promisify(server.getConnections.bind(server)),
      waitingRequests: () => app.get(JobWaits).size,
      heldBodyBytes: async () => (await heldBodyBytes.get()).values[0]?.value ?? 0,
      markStopping: () => app.get(Readiness).markStopping(),
      close,
    };
  }

  async startProgram(settings: NodeJS.ProcessEnv): Promise<GatewayProgram> {
    const program = await GatewayProgram.start({ ...this.settings(), NATS_URL: this.natsUrl, ...settings });
    this.closing.unshift(() => program.stop());
    return program;
  }

  private settings(): NodeJS.ProcessEnv {
    return {
      KINORA_PROFILE: 'local',
      KINORA_PUBLIC_URL: 'http://gateway.test',
      KINORA_URL_SIGNING_KEY: 'a signing key of this test only, long enough',
      KINORA_OBJECT_STORE_DIR: this.objectStoreDir,
    };
  }
}

/** The gateway of a spec: it starts before the tests, and before each the contexts forget their answers and requests. */
export function useGateway<TestBed extends GatewayTestBed = GatewayTestBed>(
  settings: NodeJS.ProcessEnv = {},
  testBed: TestBed = new GatewayTestBed() as TestBed,
): TestBed {
  beforeAll(() => testBed.start(settings));
  beforeEach(() => testBed.reset());
  afterAll(() => testBed.close());
  return testBed;
}
