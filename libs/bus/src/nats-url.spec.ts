import { parseNatsUrl } from './nats-url';

describe('address of NATS', () => {
  it.each([
    ['nats://127.0.0.1:4333', { isTls: false, servers: ['127.0.0.1:4333'] }],
    ['broker', { isTls: false, servers: ['broker:4222'] }],
    ['nats://[::1]', { isTls: false, servers: ['[::1]:4222'] }],
    ['nats://a:1, tls://b:2,c', { isTls: true, servers: ['a:1', 'b:2', 'c:4222'] }],
    ['nats://ada:p%40ss@a:1', { isTls: false, servers: ['a:1'], user: 'ada', pass: 'p@ss' }],
    ['ada:secret@a,b', { isTls: false, servers: ['a:4222', 'b:4222'], user: 'ada', pass: 'secret' }],
    ['nats://a,nats://t%2Fken@b', { isTls: false, servers: ['a:4222', 'b:4222'], token: 't/ken' }],
  ])('is read from %s', (text, address) => {
    expect(parseNatsUrl(text)).toEqual(address);
  });

  it.each(['', 'nats://', 'wss://ada:secret@a', 'nats://a:1,', 'nats://ada:secret@a:port', 'nats://ada:secret%zz@a'])(
    'is refused without being quoted: %j',
    (text) => {
      expect(() => parseNatsUrl(text)).toThrow(
        new Error('NATS_URL: must be addresses such as nats://user:password@host:4222, separated by commas'),
      );
    },
  );
});
