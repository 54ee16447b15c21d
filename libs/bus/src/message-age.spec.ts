import { performance } from 'node:perf_hooks';
import { Controller } from '@nestjs/common';
import { rpc } from '@kinora/contracts/shared/contract';
import { type TestBus, type TestService, connectTestBus, startTestService, waitFor } from '@kinora/testing';
import { Handles } from './handles.decorator';

const FROZEN_MS = 30_000;
const options = { timeoutMs: 25_000, errors: ['capacity'] } as const;
const single = rpc<{ n: number }, string>('age_spec.v1.single', options);
const batched = rpc<{ n: number }, string>('age_spec.v1.batched', {
  ...options,
  batching: { maxItems: 32, maxConcurrent: 2 },
});

const handled: number[] = [];

@Controller()
class AgeController {
  @Handles(single)
  async single({ n }: { n: number }): Promise<string> {
    handled.push(n);
    return Promise.resolve('done');
  }

  @Handles(batched)
  async batched({ n }: { n: number }): Promise<string> {
    handled.push(n);
    return Promise.resolve('done');
  }
}

describe('a request that a frozen process reads later', () => {
  let client: TestBus;
  let service: TestService;
  const clock = performance.now.bind(performance);

  beforeAll(async () => {
    service = await startTestService({ name: 'age_spec', controllers: [AgeController] });
    client = await connectTestBus();
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await Promise.all([client.close(), service.close()]);
  });

  it.each([single, batched])('has no effect after its deadline, and a fresh one has: $subject', async (contract) => {
    handled.length = 0;
    const old = client.bus.request(contract, { n: 1 });
    // Batches leave at the end of the turn; the service, in this process, reads nothing before the clock goes on.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const offset = performance.now() - clock() + FROZEN_MS;
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + offset);
    await expect(old).rejects.toMatchObject({ code: 'capacity' });
    expect(handled).toEqual([]);
    // Refused without an effect until a ping has passed the connection.
    await waitFor(() => client.bus.request(contract, { n: 2 }).catch(() => null));
    expect(handled).toEqual([2]);
  });
});
