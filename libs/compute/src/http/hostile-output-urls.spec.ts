import { Egress, EgressAllowList } from '@kinora/egress';
import { ConnectionWatch, HOSTILE_URLS } from '@kinora/testing';
import { FakeHttpServer } from './fake-http-server.fixtures';
import { InstanceConnection } from './instance-connection';

const BOUNDS = { timeoutMs: 5_000, maxBytes: 1_000 };

/** The URL of an output must not lead to an address of the internal network. */
describe('URLs of outputs', () => {
  let backend: FakeHttpServer;
  let connection: InstanceConnection;
  let watch: ConnectionWatch;

  beforeAll(async () => {
    backend = new FakeHttpServer((_request, response) => response.writeHead(200).end());
    const egress = new Egress({ allow: EgressAllowList.NOTHING });
    connection = new InstanceConnection({ url: await backend.start(), headers: {}, concurrency: 1, egress });
    watch = new ConnectionWatch();
  });
  afterAll(async () => {
    watch.close();
    await Promise.all([connection.close(), backend.stop()]);
  });

  it('are refused in every hostile form, without a connection', async () => {
    const taken: string[] = [];
    // A URL that begins with a slash is a path of the backend itself.
    for (const url of HOSTILE_URLS.filter((hostile) => !hostile.startsWith('/'))) {
      const message = await connection.fetchFile(url, BOUNDS).then(
        () => 'fetched',
        (error: Error) => error.message,
      );
      if (message !== 'An output has an address that may not be fetched.') taken.push(url);
    }
    expect({ taken, attempts: watch.attempts }).toEqual({ taken: [], attempts: [] });
  });
});
