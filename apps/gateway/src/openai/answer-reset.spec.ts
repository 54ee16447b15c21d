import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { RESET_WATCHED_MS, onAnswerReset } from './answer-reset';

describe('a reset after an answer', () => {
  let server: Server;
  let client: Socket;
  let socket: Socket;
  let reported: string[];

  beforeEach(async () => {
    reported = [];
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [socket] = await accepted;
    socket.resume().on('error', () => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    client.destroy();
    server.close();
  });

  const answer = (name: string): void => onAnswerReset(socket, () => reported.push(name));
  /** Not `once` of node:events, which rejects when the socket emits the error of the reset. */
  const closed = (): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));
  const reset = async (): Promise<void> => {
    client.resetAndDestroy();
    await closed();
  };

  it('is reported once, for the last answer, by one listener of the connection', async () => {
    const before = socket.listenerCount('close');
    for (let number = 1; number <= 20; number += 1) answer(`${number}`);
    expect(socket.listenerCount('close')).toBe(before + 1);
    await reset();
    expect(reported).toEqual(['20']);
  });

  it('is not reported once the client has sent more', async () => {
    answer('read');
    const received = once(socket, 'data');
    client.write('GET / HTTP/1.1');
    await received;
    await reset();
    expect(reported).toEqual([]);
  });

  it('is not reported long after the answer, when the connection was idle', async () => {
    const now = performance.now();
    answer('read');
    jest.spyOn(performance, 'now').mockReturnValue(now + 2 * RESET_WATCHED_MS);
    await reset();
    expect(reported).toEqual([]);
  });

  it('is not reported where the client closes', async () => {
    answer('read');
    client.end();
    await closed();
    expect(reported).toEqual([]);
  });
});
