import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Bus } from '@kinora/bus';
import { ObjectStoreConfig } from '@kinora/object-store';
import { DatabaseServiceConfig } from '@kinora/service-kit';
import { BUILT_IN_DECODER } from '@kinora/videos';
import {
  TYPESCRIPT_ARGUMENTS,
  TestBroker,
  type TestDatabase,
  type TestService,
  closeAll,
  connectTestBus,
  createTestDatabase,
  startTestService,
} from '@kinora/testing';
import { IMAGE_PROGRAM } from '../src/image/image-process';
import { migrations } from '../src/migrations/migrations';
import { ModerationConfig } from '../src/moderation.config';
import { ModerationModule } from '../src/moderation.module';

@Module({})
class ConfigModule {
  static of(config: ModerationConfig): DynamicModule {
    const providers = [ModerationConfig, DatabaseServiceConfig].map((provide) => ({ provide, useValue: config }));
    return { module: ConfigModule, global: true, providers, exports: [ModerationConfig, DatabaseServiceConfig] };
  }
}

/** The whole service on a broker and a database of its own, with a folder for objects and the operator's files. */
export class ModerationServiceFixture {
  folder!: string;
  database!: TestDatabase;
  broker!: TestBroker;
  service!: TestService;
  bus!: Bus;
  private closeBus!: () => Promise<void>;

  async prepare(): Promise<void> {
    this.folder = await mkdtemp(path.join(os.tmpdir(), 'moderation-'));
    this.database = await createTestDatabase('moderation', migrations);
    this.broker = await TestBroker.start();
  }

  async start(settings: Partial<ModerationConfig>): Promise<void> {
    const config = Object.assign(new ModerationConfig(), {
      databaseUrl: this.database.url,
      objectStore: Object.assign(new ObjectStoreConfig(), { dir: this.folder }),
      builtInDecoder: { ...BUILT_IN_DECODER, execArgv: TYPESCRIPT_ARGUMENTS },
      imageProgram: { ...IMAGE_PROGRAM, execArgv: TYPESCRIPT_ARGUMENTS },
      ...settings,
    });
    const imports = [ConfigModule.of(config), ModerationModule];
    this.service = await startTestService({ name: 'moderation', natsUrl: this.broker.url, imports });
    ({ bus: this.bus, close: this.closeBus } = await connectTestBus(this.broker.url));
  }

  async close(): Promise<void> {
    const parts = [this.service, this.broker, this.database];
    await closeAll([
      this.closeBus,
      ...parts.map((part) => () => part.close()),
      () => rm(this.folder, { recursive: true }),
    ]);
  }
}
