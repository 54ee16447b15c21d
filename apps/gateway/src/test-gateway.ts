import type { AddressInfo } from 'node:net';
import { BusModule, connectNats } from '@kinora/bus';
import { ObjectStore, UrlSigner } from '@kinora/object-store';
import { LOGGER, type Logger, loadConfig } from '@kinora/service-kit';
import { GatewayConfig } from './gateway.config';
import { GatewayModule } from './gateway.module';
import { createGateway } from './http/create-gateway';

export interface TestGateway {
  /** Scheme, host and port, without `/v1`. */
  origin: string;
  port: number;
  objects: ObjectStore;
  signer: UrlSigner;
  close: () => Promise<void>;
}

export interface TestGatewayOptions {
  natsUrl: string;
  objectStoreDir: string;
  logger: Logger;
  settings?: NodeJS.ProcessEnv;
}

/** The real gateway on a free port of loopback. */
export async function startTestGateway({
  natsUrl,
  objectStoreDir,
  logger,
  settings = {},
}: TestGatewayOptions): Promise<TestGateway> {
  const config = loadConfig(GatewayConfig, {
    KINORA_PROFILE: 'local',
    KINORA_PORT: '0',
    KINORA_PUBLIC_URL: 'http://gateway.test',
    KINORA_URL_SIGNING_KEY: 'a key that only this test knows of, long enough',
    KINORA_OBJECT_STORE_DIR: objectStoreDir,
    ...settings,
  });
  const connection = await connectNats({ url: natsUrl, name: 'gateway', logger });
  const provided = [
    { provide: GatewayConfig, useValue: config },
    { provide: LOGGER, useValue: logger },
  ];
  const kit = {
    module: class TestKitModule {},
    global: true,
    imports: [BusModule.forConnection(connection, logger)],
    providers: provided,
    exports: provided,
  };
  const root = { module: class TestRootModule {}, imports: [kit, GatewayModule] };
  const app = await createGateway(root, config, logger);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    objects: app.get(ObjectStore),
    signer: app.get(UrlSigner),
    close: async () => {
      await app.close();
      await connection.close();
    },
  };
}
