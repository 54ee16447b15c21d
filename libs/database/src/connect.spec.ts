import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { connect } from './connect';

describe('connecting at boot', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('connect-spec', []);
  });
  afterAll(() => test.close());

  it('waits for a server that is only coming up', async () => {
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
    const dataSource = await connect({ url: url.toString(), name: 'spec', poolSize: 1 });
    expect(arrivals).toBeGreaterThan(2);
    await dataSource.destroy();
    await new Promise((resolve) => door.close(resolve));
  });

  it('tells at once that a login was refused', async () => {
    const url = new URL(test.url);
    url.password = 'wrong';
    const refused = connect({ url: url.toString(), name: 'spec', poolSize: 1 });
    await expect(refused).rejects.toThrow('password authentication failed');
  });
});
