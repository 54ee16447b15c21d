import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { EgressAllowList } from './allow-list';
import { Egress } from './egress';

const AUTHORITY = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');

/** Writes as fast as the socket accepts data, until the connection closes. */
function flood(socket: Socket, drop: string): void {
  const drops = Buffer.from(drop.repeat(1_000));
  const pour = (): void => {
    while (!socket.destroyed && socket.write(drops));
  };
  socket.on('drain', pour);
  pour();
}

describe('a connection that carries endless data outside head and body', () => {
  let receiver: HttpsReceiver;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
  });
  afterAll(() => receiver.close());

  function send(begin: string, drop: string) {
    receiver.answer = (_request, { socket }) => {
      socket?.write(begin);
      if (socket) flood(socket, drop);
    };
    const allow = EgressAllowList.parse(`127.0.0.1:${receiver.port}`);
    const url = `https://127.0.0.1:${receiver.port}/`;
    const egress = new Egress({ allow, authority: AUTHORITY });
    return egress.send({ url, method: 'POST', headers: {}, timeoutMs: 30_000, maxResponseBytes: 100 });
  }

  it('is ended if only interim answers arrive', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    await expect(send(hint, hint)).rejects.toMatchObject({ failure: 'too_large' });
  });

  it('is ended inside an endless chunk extension, after the answer has begun', async () => {
    const answer = send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a');
    expect(await answer).toMatchObject({ status: 200, bodyEnd: 'too_long' });
  });
});
