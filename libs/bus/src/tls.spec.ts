import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  CLIENT_CERTIFICATE,
  createTestLog,
  RECEIVER_AUTHORITY_FILE as caFile,
  RECEIVER_CERTIFICATE_FILE,
  RECEIVER_KEY_FILE,
  TestBroker,
} from '@kinora/testing';
import { connectBus } from './bus';
import { connectNats } from './connection';

const LOGIN = 'authorization { user: ada, password: "s3cret" }';

function withLogin(url: string, scheme = 'tls'): string {
  return url.replace('nats://', `${scheme}://ada:s3cret@`);
}

describe('TLS to the broker', () => {
  const { authorityFile, certFile, keyFile } = CLIENT_CERTIFICATE;
  const server = `cert_file: "${RECEIVER_CERTIFICATE_FILE}", key_file: "${RECEIVER_KEY_FILE}", ca_file: "${authorityFile}"`;
  const secured = (verify: boolean): string => `${LOGIN}\ntls { ${server}, verify: ${verify} }`;
  let broker: TestBroker;
  let demanding: TestBroker;

  beforeAll(async () => {
    [broker, demanding] = await Promise.all([TestBroker.start(secured(false)), TestBroker.start(secured(true))]);
  });

  afterAll(() => Promise.all([broker.close(), demanding.close()]));

  it('trusts the authority that is named, and no server without it', async () => {
    const { close } = await connectBus(withLogin(broker.url), 'tls-spec', { caFile });
    await close();
    await expect(connectBus(withLogin(broker.url), 'tls-spec')).rejects.toThrow(/certificate|issuer/i);
  });

  it('proves itself by a certificate to a broker that demands one', async () => {
    const { close } = await connectBus(withLogin(demanding.url), 'tls-spec', { caFile, certFile, keyFile });
    await close();
  });

  it('names a file that is missing instead of trying again for ever', async () => {
    const { logger } = createTestLog();
    const tlsFiles = { caFile: '/nowhere/ca.crt' };
    await expect(connectNats({ url: withLogin(broker.url), name: 'tls-spec', logger, tlsFiles })).rejects.toThrow(
      'NATS_CA: the file /nowhere/ca.crt cannot be read (ENOENT)',
    );
  });
});

describe('a server without TLS', () => {
  let server: Server;
  let url: string;
  const received: string[] = [];

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', (data) => received.push(data.toString()));
      socket.write(
        'INFO {"server_id":"A","version":"2.10.0","proto":1,"headers":true,"max_payload":8388608,"auth_required":true}\r\n',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  it.each([
    ['tls:// in the address', 'tls', {}],
    ['an authority', 'nats', { caFile }],
  ])('never gets a password where TLS is asked for by %s', async (_, scheme, files) => {
    await expect(connectBus(withLogin(url, scheme), 'tls-spec', files)).rejects.toThrow();
    expect(received).toEqual([]);
  });
});
