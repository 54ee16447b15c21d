import { Controller } from '@nestjs/common';
import { event, rpc, signal } from '@kinora/contracts/shared/contract';
import { type TestBus, type TestService, connectTestBus, startTestService, waitFor } from '@kinora/testing';
import { headers } from 'nats';
import type { NatsConnection } from './connection';
import { EventPublisher } from './event-stream';
import { type EventDelivery, Handles, OnSignal, OnEvent } from './handles.decorator';

const echo = rpc<unknown, unknown>('malformed_spec.v1.echo', { timeoutMs: 10_000, errors: [] });
const signalSent = signal<{ id: string }>('malformed_spec.v1.signal.rang');
const eventSent = event<{ id: string }>('jobs.v1.event.malformed_spec_something_happened');

const DEPTH = 1_000_000;
const MALFORMED: [string, string | Uint8Array][] = [
  ['nothing', ''],
  ['no JSON', '{"id": '],
  ['two values', '{}{}'],
  ['binary data', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ['a byte order mark alone', '\ufeff'],
  ['7 MB of noise', 'x'.repeat(7 * 1024 * 1024)],
  ['a depth that is never closed', '['.repeat(DEPTH)],
];
/** Valid JSON, so a handler receives it; any failure must stay inside the handler. */
const STRANGE: [string, string][] = [
  ['null', 'null'],
  ['a number', '1e999'],
  ['a list', '[[]]'],
  ['a million levels', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
  ['a prototype', '{"__proto__": {"id": 1}, "constructor": null}'],
];

const received: unknown[] = [];

@Controller()
class AnyController {
  @Handles(echo)
  async echo(request: unknown): Promise<unknown> {
    return request;
  }

  @OnSignal(signalSent)
  async onSignal({ id }: { id: string }): Promise<void> {
    received.push(id);
  }

  @OnEvent(eventSent)
  async onEvent({ id }: { id: string }, _delivery: EventDelivery): Promise<void> {
    received.push(id);
  }
}

describe('a malformed message', () => {
  let raw: NatsConnection;
  let client: TestBus;
  let service: TestService;

  beforeAll(async () => {
    ({ connection: raw } = await connectTestBus());
    client = await connectTestBus();
  });

  beforeEach(async () => {
    service = await startTestService({ name: 'malformed_spec', controllers: [AnyController] });
  });

  afterEach(async () => {
    await service.close();
    received.length = 0;
  });

  afterAll(async () => {
    await Promise.all([client.close(), raw.close()]);
  });

  const replyTo = async (subject: string, data: string | Uint8Array): Promise<unknown> =>
    (await raw.request(subject, data, { timeout: echo.timeoutMs })).json();

  it.each(MALFORMED)('is answered with an error where it is a request: %s', async (_, data) => {
    expect(await replyTo(echo.subject, data)).toMatchObject({ error: { code: 'internal_error' } });
    expect(service.log.of('bus_request_malformed')).toHaveLength(1);
  });

  it.each(STRANGE)('reaches the handler if it is JSON: %s', async (_, data) => {
    expect(await replyTo(echo.subject, data)).toBeInstanceOf(Object);
  });

  it('cannot inject values through its headers', async () => {
    for (const timeoutMs of ['', 'soon', '-5', '0', 'NaN', 'Infinity', '1e308']) {
      const odd = headers();
      odd.set('Kinora-Timeout-Ms', timeoutMs);
      odd.append('Kinora-Request-Id', 'req_1');
      odd.append('Kinora-Request-Id', 'req_2');
      const reply = await raw.request(echo.subject, '{"a":1}', { timeout: echo.timeoutMs, headers: odd });
      expect(reply.json()).toEqual({ ok: { a: 1 } });
    }
  });

  it('may lack a reply subject', async () => {
    raw.publish(echo.subject, '{"a":1}');
    expect(await replyTo(echo.subject, '1')).toEqual({ ok: 1 });
  });

  it('is skipped if it is a signal or an event', async () => {
    for (const [, data] of [...MALFORMED, ...STRANGE]) raw.publish(signalSent.subject, data);
    client.bus.signal(signalSent, { id: 'a valid signal' });
    await waitFor(() => received.includes('a valid signal'));
    const publisher = new EventPublisher(raw, client.log.logger);
    await publisher.publish(eventSent.subject, { id: 'first' }, 'malformed_spec_first');
    for (const [, data] of MALFORMED) raw.publish(eventSent.subject, data);
    await publisher.publish(eventSent.subject, { id: 'a valid event' }, 'malformed_spec_last');
    await waitFor(() => received.includes('a valid event'));
    expect(service.log.of('event_malformed')).toHaveLength(MALFORMED.length);
  });
});
