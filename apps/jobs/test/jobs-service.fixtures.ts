import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Type } from '@nestjs/common';
import { IMAGE } from '@kinora/compute/fixtures';
import { statement } from '@kinora/database';
import { ObjectStore, ObjectStoreConfig } from '@kinora/object-store';
import { type Clock, DatabaseServiceConfig, ServiceConfig } from '@kinora/service-kit';
import {
  TYPESCRIPT_ARGUMENTS,
  TestBroker,
  type TestBus,
  type TestDatabase,
  type TestService,
  closeAll,
  connectTestBus,
  createTestDatabase,
  startTestService,
  waitFor,
} from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Job } from '@kinora/contracts/jobs/job';
import { type CreateJobReply, type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JobsConfig } from '../src/jobs.config';
import { JobsModule } from '../src/jobs.module';
import { migrations } from '../src/migrations/migrations';
import { FakeContexts, FakeContextsController } from './fake-contexts.fixtures';
import { inPlaceOf } from './spec-database.fixtures';
import { LARGE_INPUTS } from '../src/dispatch/job-inputs';
import { FakeWorker } from './worker.fixtures';

type VideoRequest = Extract<CreateJobRequest, { kind: 'video.generation' }>['input'];

const LET_RETENTION_PASS = [
  'ALTER TABLE job DISABLE TRIGGER job_ended_is_immutable',
  `UPDATE job SET expires_at = clock_timestamp() - interval '1 second' WHERE expires_at IS NOT NULL`,
  'ALTER TABLE job ENABLE TRIGGER job_ended_is_immutable',
];

export const RECEIPT_KEY = '5'.repeat(64);

interface Parts {
  worker: FakeWorker;
  service: TestService;
  startProcess: () => Promise<TestService>;
  fakeService: TestService;
  client: TestBus;
  database: TestDatabase;
  broker: TestBroker;
  folders: string[];
  objectsDir: string;
}

/** The context, started for the tests of the enclosing `describe` and stopped after them. */
export function useJobs(...options: Parameters<typeof JobsServiceFixture.start>): JobsServiceFixture {
  let fixture: JobsServiceFixture;
  beforeAll(async () => {
    fixture = await JobsServiceFixture.start(...options);
  });
  afterAll(() => fixture.close());
  return inPlaceOf(() => fixture);
}

/** The same with a context of its own for each test. */
export function useJobsOfEach(...options: Parameters<typeof JobsServiceFixture.start>): JobsServiceFixture {
  let fixture: JobsServiceFixture;
  beforeEach(async () => {
    fixture = await JobsServiceFixture.start(...options);
  });
  afterEach(() => fixture.close());
  return inPlaceOf(() => fixture);
}

/** The whole context: real PostgreSQL, real NATS, real files, a worker over HTTP, and fakes for the other contexts. */
export class JobsServiceFixture {
  readonly accountId = uuidv7();
  readonly worker: FakeWorker;
  readonly fakes: FakeContexts;
  readonly service: TestService;
  readonly database: TestDatabase;

  private constructor(private readonly parts: Parts) {
    this.worker = parts.worker;
    this.fakes = parts.fakeService.get(FakeContexts);
    this.service = parts.service;
    this.database = parts.database;
    this.fakes.files = this.objects;
  }

  static async start(
    roles = 'api,runner',
    objectStore: Partial<ObjectStoreConfig> = {},
    instances: object[] = [],
    settings: Partial<JobsConfig> = {},
    clock?: Clock,
  ): Promise<JobsServiceFixture> {
    const worker = new FakeWorker();
    const [broker, database, objectsDir, configDir, sandboxUrl] = await Promise.all([
      TestBroker.start(),
      createTestDatabase('jobs', migrations),
      mkdtemp(path.join(os.tmpdir(), 'kinora-objects-')),
      mkdtemp(path.join(os.tmpdir(), 'kinora-config-')),
      worker.start(),
    ]);
    const natsUrl = broker.url;
    await writeFile(path.join(configDir, 'providers.yaml'), JSON.stringify({ providers: instances }));
    const fakeService = await startTestService({
      name: 'other-contexts',
      natsUrl,
      controllers: [FakeContextsController],
      providers: [FakeContexts],
    });
    const config = Object.assign(new JobsConfig(), {
      roles,
      databaseUrl: database.url,
      publicUrl: 'http://kinora.test',
      urlSigningKey: 'a-signing-key-for-specs-of-32-characters',
      receiptKey: RECEIPT_KEY,
      quoteKey: 'a-quote-key-for-specs-of-32-characters',
      objectStore: Object.assign(new ObjectStoreConfig(), { dir: objectsDir }, objectStore),
      sandboxUrl,
      configDir,
      largeInputs: { ...LARGE_INPUTS, execArgv: TYPESCRIPT_ARGUMENTS },
      ...settings,
    });
    const configs = [JobsConfig, DatabaseServiceConfig, ServiceConfig].map((type) => ({
      provide: type,
      useValue: config,
    }));
    const configModule = { module: class SpecConfigModule {}, global: true, providers: configs, exports: configs };
    const startProcess = (): Promise<TestService> =>
      startTestService({ name: 'jobs', natsUrl, clock, imports: [configModule, JobsModule.forConfig(config)] });
    const service = await startProcess();
    const client = await connectTestBus(natsUrl);
    return new JobsServiceFixture({
      worker,
      service,
      startProcess,
      database,
      broker,
      objectsDir,
      folders: [objectsDir, configDir],
      fakeService,
      client,
    });
  }

  /** Another process with the same database; the caller closes it. */
  startProcess(): Promise<TestService> {
    return this.parts.startProcess();
  }

  get bus(): TestBus['bus'] {
    return this.parts.client.bus;
  }

  get natsUrl(): string {
    return this.parts.broker.url;
  }

  get objects(): ObjectStore {
    return this.service.get(ObjectStore as Type<ObjectStore>);
  }

  create(
    parts: { model?: string; prompt?: string; key?: string; body?: string; n?: number; accountId?: string } = {},
  ): Promise<CreateJobReply> {
    const request: CreateJobRequest = {
      kind: 'image.generation',
      account_id: parts.accountId ?? this.accountId,
      input: {
        prompt: parts.prompt ?? 'a calm sea',
        ...(parts.model === undefined ? {} : { model: parts.model }),
        ...(parts.n === undefined ? {} : { n: parts.n }),
      },
      ...(parts.body === undefined ? {} : { request_sha256: parts.body }),
      ...(parts.key === undefined
        ? {}
        : { idempotency: { key: parts.key, route: 'POST /images/generations', body_sha256: parts.body ?? 'same' } }),
    };
    return this.bus.request(jobsRpc.create, request);
  }

  /** Creates a video job from a start frame in the store, as the gateway does. */
  async animate(input: VideoRequest = {}, more: { quote?: string; wanted_size?: string } = {}): Promise<Job> {
    const object_key = `inputs/${uuidv7()}.png`;
    await this.objects.put(object_key, IMAGE, { mime: 'image/png' });
    const sha256 = createHash('sha256').update(IMAGE).digest('hex');
    const frame = { sha256, width: 129, height: 97, mime: 'image/png', object_key, param: 'image' };
    const request = { kind: 'video.generation', account_id: this.accountId, input, images: [frame] } as const;
    return (await this.bus.request(jobsRpc.create, { ...request, images: [frame], ...more })).job;
  }

  get(jobId: string, accountId = this.accountId): Promise<Job> {
    return this.bus.request(jobsRpc.get, { account_id: accountId, job_id: jobId });
  }

  cancel(jobId: string): Promise<Job> {
    return this.bus.request(jobsRpc.cancel, { account_id: this.accountId, job_id: jobId });
  }

  /** Creates a job, and waits for its end. */
  async run(parts: Parameters<JobsServiceFixture['create']>[0] = {}): Promise<Job> {
    return this.whenEnded((await this.create(parts)).job.id, parts.accountId);
  }

  whenEnded(jobId: string, accountId?: string): Promise<Job> {
    return waitFor(() => this.ended(jobId, accountId));
  }

  async whenProcessing(jobId: string): Promise<void> {
    await waitFor(async () => (await this.get(jobId)).status === 'processing');
  }

  /** Waits until billing has ended the hold of a job so. */
  async whenHold(jobId: string, state: 'captured' | 'refunded'): Promise<void> {
    await waitFor(() => this.holdState(jobId) === state);
  }

  /** The job once it has ended, or null while it is in flight; for waitFor. */
  async ended(jobId: string, accountId?: string): Promise<Job | null> {
    const job = await this.get(jobId, accountId);
    return job.completed_at === null ? null : job;
  }

  holdState(jobId: string): string | undefined {
    return this.fakes.holds.get(jobId)?.state;
  }

  /** Changes rows as no request can. */
  async execute(sql: string, ...values: unknown[]): Promise<void> {
    await this.database.database.execute(statement('', sql), values);
  }

  query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.database.query<Row>(statement('', sql), values);
  }

  async storedFiles(): Promise<string[]> {
    return await fileNamesBelow(this.parts.objectsDir);
  }

  async filesOf(jobId: string): Promise<string[]> {
    return (await this.storedFiles()).filter((name) => name.includes(jobId));
  }

  /** Sets the time of change of a file two hours back. */
  async makeOld(name: string): Promise<void> {
    const then = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    await utimes(path.join(this.parts.objectsDir, name), then, then);
  }

  /** Leaves a partial write, as a process does that dies in the middle of it. */
  async leaveUnfinished(name: string): Promise<string> {
    const file = path.join('.incoming', name);
    await writeFile(path.join(this.parts.objectsDir, file), 'half');
    return file;
  }

  /** Makes the store fail for the outputs of a job, by a loop of links in place of their folder. @returns what repairs it */
  async breakOutputsOf(jobId: string): Promise<() => Promise<void>> {
    const folder = path.join(this.parts.objectsDir, 'outputs', jobId);
    await rename(folder, `${folder}.aside`);
    await symlink(folder, folder);
    return async () => {
      await rm(folder);
      await rename(`${folder}.aside`, folder);
    };
  }

  /** Ended jobs are immutable by trigger, so the fixture disables the triggers to let all outputs expire. */
  async letRetentionPass(): Promise<void> {
    for (const sql of LET_RETENTION_PASS) await this.execute(sql);
  }

  async close(): Promise<void> {
    const { client, service, fakeService, worker, database, broker, folders } = this.parts;
    await closeAll([
      ...[client, service, fakeService].map((part) => () => part.close()),
      () => worker.stop(),
      ...[database, broker].map((part) => () => part.close()),
      ...folders.map((folder) => () => rm(folder, { recursive: true, force: true })),
    ]);
  }
}

/** A recursive `readdir` fails with ENOENT if the service deletes a job's folder meanwhile. */
async function fileNamesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.map(async (entry) =>
    entry.isDirectory() ? await fileNamesBelow(path.join(folder, entry.name)) : [entry.name],
  );
  return (await Promise.all(names)).flat();
}
