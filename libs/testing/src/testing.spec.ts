import { once } from 'node:events';
import { connect } from 'node:tls';
import { HttpsReceiver } from './https-receiver';
import { closeAll } from './test-service';

describe('HTTPS receiver', () => {
  it('forgets a request whose sender is killed before its last byte', async () => {
    const receiver = await HttpsReceiver.start();
    const socket = connect({ host: '127.0.0.1', port: receiver.port, rejectUnauthorized: false });
    socket.write('POST /hook HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\na');
    // The server has begun to read the request.
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
    await receiver.close();
    expect(receiver.requests).toEqual([]);
  });
});

describe('closeAll', () => {
  it('closes the parts after one that fails, in order, and throws the first error', async () => {
    const closed: string[] = [];
    const close = (name: string) => () => Promise.resolve(closed.push(name));
    const fail = (name: string) => () => Promise.reject(new Error(name));
    const closing = closeAll([close('client'), fail('service'), fail('database'), close('broker')]);
    await expect(closing).rejects.toThrow('service');
    expect(closed).toEqual(['client', 'broker']);
  });
});
