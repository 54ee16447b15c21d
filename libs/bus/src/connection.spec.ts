import { inspect } from 'node:util';
import { TestBroker, createTestLog } from '@kinora/testing';
import { connectBus } from './bus';
import { connectNats } from './connection';

const NOBODY = '127.0.0.1:1';

describe('connection to brokers that require a password', () => {
  let broker: TestBroker;
  let host: string;

  beforeAll(async () => {
    broker = await TestBroker.start('authorization { user: ada, password: "s3cr,t/@" }');
    ({ host } = new URL(broker.url));
  });

  afterAll(() => broker.close());

  it('uses the credentials in the address, and the first reachable server of a list', async () => {
    const log = createTestLog();
    for (const servers of [host, `${NOBODY},${host}`, `${host},${NOBODY}`]) {
      const url = `nats://ada:s3cr%2Ct%2F%40@${servers}`;
      const connection = await connectNats({ url, name: 'connection-spec', logger: log.logger });
      await connection.flush();
      await connection.close();
      await (await connectBus(url, 'connection-spec')).close();
    }
    expect(JSON.stringify(log.lines)).not.toContain('s3cr');
  });

  it('is refused with an error that shows no credentials', async () => {
    const refused = await connectBus(`nats://ada:wr0ng@${host}`, 'connection-spec').catch((error: unknown) => error);
    expect(inspect(refused)).toContain('AUTHORIZATION_VIOLATION');
    expect(inspect(refused, { depth: null, showHidden: true })).not.toContain('wr0ng');
  });
});

describe('connection to brokers that require a token', () => {
  let broker: TestBroker;

  beforeAll(async () => {
    broker = await TestBroker.start('authorization { token: t0ken }');
  });

  afterAll(() => broker.close());

  it('uses the token in the address', async () => {
    await (await connectBus(`nats://t0ken@${new URL(broker.url).host}`, 'connection-spec')).close();
  });
});
