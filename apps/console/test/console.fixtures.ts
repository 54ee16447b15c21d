import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats } from '@kinora/bus';
import { KitModule, Readiness, loadConfig } from '@kinora/service-kit';
import {
  ManualClock,
  TestBroker,
  type TestDatabase,
  type TestLog,
  assertResolvable,
  closeAll,
  createTestDatabase,
  createTestLog,
  startTestService,
} from '@kinora/testing';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConsoleConfig } from '../src/console.config';
import { ConsoleModule } from '../src/console.module';
import { createConsole } from '../src/create-console';
import { migrations } from '../src/migrations/migrations';
import { Browser } from './browser.fixtures';
import { FakeKeys, fakeBilling } from './fake-billing.fixtures';
import { StubGateway } from './stub-gateway.fixtures';

type Close = () => Promise<void>;

/** The real console on a free loopback port, with its own database and broker, and stand-ins for gateway and billing. */
export class ConsoleTestBed {
  readonly keys = new FakeKeys();
  readonly log: TestLog = createTestLog();
  /** Of refusals, which take no time here. */
  readonly clock = new ManualClock(true);
  readonly passwordCost = { N: 2, r: 1, p: 1 };
  gateway!: StubGateway;
  database!: TestDatabase;
  app!: NestFastifyApplication;
  url!: string;
  natsUrl!: string;
  private folder!: string;
  private readonly closing: Close[] = [];

  /** The controllers stand in for further contexts. */
  async start(settings: NodeJS.ProcessEnv = {}, controllers: Type[] = []): Promise<void> {
    await this.startParts(controllers);
    ({ app: this.app, url: this.url } = await this.startConsole(settings));
  }

  async close(): Promise<void> {
    await closeAll(this.closing);
  }

  /** Starts a console in this process; a second one shares the database. */
  async startConsole(settings: NodeJS.ProcessEnv = {}): Promise<{ app: NestFastifyApplication; url: string }> {
    const config = loadConfig(ConsoleConfig, {
      KINORA_PROFILE: 'local',
      NATS_URL: this.natsUrl,
      DATABASE_URL: this.database.url,
      KINORA_CONSOLE_URL: 'http://console.test',
      KINORA_CONSOLE_GATEWAY_URL: this.gateway.url,
      KINORA_CONSOLE_SIGN_INS_RPM: '1000',
      ...settings,
    });
    Object.assign(config, { webFolder: this.folder, passwordCost: this.passwordCost });
    const connection = await connectNats({ url: this.natsUrl, name: 'console', logger: this.log.logger });
    this.closing.unshift(() => connection.close());
    const kit = KitModule.forService(config, this.log.logger, connection, this.clock);
    const rootModule = { module: class TestRootModule {}, imports: [kit, ConsoleModule.forConfig(config)] };
    await assertResolvable(rootModule);
    const app = await createConsole({ rootModule, config, logger: this.log.logger, connection });
    this.closing.unshift(() => app.close());
    await app.startAllMicroservices();
    await app.listen(0, '127.0.0.1');
    app.get(Readiness).markServing();
    const { port } = app.getHttpServer().address() as AddressInfo;
    return { app, url: `http://127.0.0.1:${port}` };
  }

  /** A browser without cookies. */
  browser(url = this.url): Browser {
    return new Browser(url);
  }

  /** A browser that is signed in with a new key. */
  async signedIn(key = this.keys.create()): Promise<Browser> {
    const browser = this.browser();
    const { status } = await browser.signIn(key.api_key);
    if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
    return browser;
  }

  private async startParts(controllers: Type[]): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'kinora-console-'));
    this.closing.unshift(() => rm(this.folder, { recursive: true, force: true }));
    await mkdir(join(this.folder, 'assets'));
    await writeFile(join(this.folder, 'index.html'), '<!doctype html><title>Customer</title>');
    await writeFile(join(this.folder, 'operator.html'), '<!doctype html><title>Operator</title>');
    await writeFile(join(this.folder, 'assets/app-1a2b.js'), `console.log('${'x'.repeat(4_000)}')`);
    const broker = await TestBroker.start();
    this.natsUrl = broker.url;
    this.closing.unshift(() => broker.close());
    this.database = await createTestDatabase('console', migrations);
    this.closing.unshift(() => this.database.close());
    this.gateway = await StubGateway.start();
    this.closing.unshift(() => this.gateway.close());
    const contexts = await startTestService({
      name: 'contexts',
      natsUrl: broker.url,
      controllers: [fakeBilling(this.keys), ...controllers],
    });
    this.closing.unshift(() => contexts.close());
  }
}

/** The console of a spec, from before its tests until after them. */
export function useConsole(settings: NodeJS.ProcessEnv = {}, ...controllers: Type[]): ConsoleTestBed {
  const bed = new ConsoleTestBed();
  beforeAll(() => bed.start(settings, controllers));
  afterAll(() => bed.close());
  return bed;
}
