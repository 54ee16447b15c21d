import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { DatabaseServiceConfig } from '@kinora/service-kit';
import { type TestDatabase, type TestService, createTestDatabase, startTestService } from '@kinora/testing';
import { DatabaseModule } from './database.module';

const CONTEXT = 'connect-spec';

describe('connecting at boot', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(CONTEXT, []);
  });
  afterAll(() => test.close());

  const start = (databaseUrl: string): Promise<TestService> =>
    startTestService({
      name: CONTEXT,
      config: Object.assign(new DatabaseServiceConfig(), { databaseUrl }),
      imports: [DatabaseModule.forContext(CONTEXT, [])],
    });

  it('waits for a server that is still starting', async () => {
    const { hostname, port } = new URL(test.url);
    let arrivals = 0;
    const door = createServer((socket) => {
      socket.on('error', () => undefined);
      arrivals += 1;
      if (arrivals <= 2) return void socket.destroy();
      const server = connectTo(Number(port), hostname).on('error', () => undefined);
      socket.pipe(server).pipe(socket);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const url = new URL(test.url);
    url.port = String((door.address() as AddressInfo).port);
    const service = await start(url.toString());
    expect(arrivals).toBeGreaterThan(2);
    await service.close();
    await new Promise((resolve) => door.close(resolve));
  });

  it('fails at once if the login is refused', async () => {
    const url = new URL(test.url);
    url.password = 'wrong';
    await expect(start(url.toString())).rejects.toThrow('password authentication failed');
  });
});
