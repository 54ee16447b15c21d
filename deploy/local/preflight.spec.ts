import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { findFreePorts } from './free-ports';
import { assertNatsReachable, assertPortFree } from './preflight';
import { StartProblem } from './start-problem';

describe('checks before a start', () => {
  it('names a port that somebody uses, and the variable that chooses another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(assertPortFree(port)).rejects.toThrow(
      `Port ${port} is in use by another program: end that program, or choose another port with KINORA_PORT.`,
    );
    server.close();
    await once(server, 'close');
    await expect(assertPortFree(port)).resolves.toBeUndefined();
  });

  it('finds a NATS server with and without a scheme, and first in a list', async () => {
    const url = process.env.KINORA_TEST_NATS_URL as string;
    for (const form of [url, url.replace('nats://', ''), `${url},nats://127.0.0.1:1`]) {
      await expect(assertNatsReachable(form)).resolves.toBeUndefined();
    }
  });

  it('says when nobody answers at NATS_URL', async () => {
    const [port] = await findFreePorts(1);
    const checked = assertNatsReachable(`nats://127.0.0.1:${port}`);
    await expect(checked).rejects.toThrow(StartProblem);
    await expect(checked).rejects.toThrow(`No NATS server answers at NATS_URL (127.0.0.1:${port})`);
  });
});
