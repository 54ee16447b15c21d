import { Egress, EgressAllowList } from '@kinora/egress';
import { ConnectionWatch, HOSTILE_URLS } from '@kinora/testing';
import { FakeHttpServer } from './fake-http-server.fixtures';
import { InstanceConnection } from './instance-connection';

const BOUNDS = { timeoutMs: 5_000, maxBytes: 1_000 };

/** A backend that names an output by URL may send us nowhere but out. */
describe('outputs that backends name', () => {
  it('are refused in every hostile form, without a connection', async () => {
    const backend = await FakeHttpServer.start((_request, response) => response.writeHead(200).end());
    const egress = new Egress({ allow: EgressAllowList.NOTHING });
    const connection = new InstanceConnection({ url: backend.url, headers: {}, concurrency: 1, egress });
    const watch = new ConnectionWatch();
    const taken: string[] = [];
    // What begins with a slash is a path of the backend's own.
    for (const url of HOSTILE_URLS.filter((hostile) => !hostile.startsWith('/'))) {
      const message = await connection.fetchFile(url, BOUNDS).then(
        () => 'fetched',
        (error: Error) => error.message,
      );
      if (message !== 'An output has an address that may not be fetched.') taken.push(url);
    }
    expect({ taken, attempts: watch.attempts }).toEqual({ taken: [], attempts: [] });
    watch.close();
    await Promise.all([connection.close(), backend.close()]);
  });
});
