import { Controller } from '@nestjs/common';
import { rpc } from '@kinora/contracts/shared/contract';
import { type TestBus, connectTestBus, startTestService } from '@kinora/testing';
import { deadlineIn, runInCall } from './call-context';
import type { NatsConnection } from './connection';
import { Handles } from './handles.decorator';

const LONGER_THAN_A_TEST_MS = 60_000;
const patient = { timeoutMs: LONGER_THAN_A_TEST_MS, errors: [] };
const CAPACITY = { code: 'capacity', status: 503, retryAfterSeconds: 1 };

describe('bus request without an answer', () => {
  let client: TestBus;
  let silent: NatsConnection;

  beforeAll(async () => {
    client = await connectTestBus();
    ({ connection: silent } = await connectTestBus());
  });

  afterAll(async () => {
    await Promise.all([client.close(), silent.close()]);
  });

  it('ends in capacity at once if the subject has no subscribers', async () => {
    const unserved = rpc<object, string>('bus_spec.v1.unserved', patient);
    await expect(client.bus.request(unserved, {})).rejects.toMatchObject(CAPACITY);
    expect(client.log.of('bus_request_unanswered').at(-1)).toMatchObject({ subject: unserved.subject });
  });

  it('ends in capacity when the time of the contract is over', async () => {
    const silence = rpc<object, string>('bus_spec.v1.silence', { timeoutMs: 50, errors: [] });
    silent.subscribe(silence.subject);
    await silent.flush();
    await expect(client.bus.request(silence, {})).rejects.toMatchObject(CAPACITY);
  });

  it('ends in capacity at the deadline of the call, even if the timeout of the contract is longer', async () => {
    const silence = rpc<object, string>('bus_spec.v1.patient_silence', patient);
    silent.subscribe(silence.subject);
    await silent.flush();
    const call = { requestId: 'req_1', deadlineAtMs: deadlineIn(50) };
    await expect(runInCall(call, () => client.bus.request(silence, {}))).rejects.toMatchObject(CAPACITY);
  });

  it('is not even sent if no time is left', async () => {
    const work = rpc<object, void>('bus_spec.v1.work', patient);
    let worked = 0;
    @Controller()
    class WorkController {
      @Handles(work)
      async work(_request: object): Promise<void> {
        worked += 1;
      }
    }
    const service = await startTestService({ name: 'bus_spec', controllers: [WorkController] });
    const call = { requestId: 'req_1', deadlineAtMs: deadlineIn(0) };
    await expect(runInCall(call, () => client.bus.request(work, {}))).rejects.toMatchObject(CAPACITY);
    await client.bus.request(work, {});
    expect(worked).toBe(1);
    await service.close();
  });

  it('is an internal error if the answer has an unknown format', async () => {
    const foreign = rpc<object, string>('bus_spec.v1.foreign', patient);
    silent.subscribe(foreign.subject, { callback: (_, message) => void message.respond('{"response":"unwrapped"}') });
    await silent.flush();
    await expect(client.bus.request(foreign, {})).rejects.toMatchObject({ code: 'internal_error' });
  });
});
