import { Controller } from '@nestjs/common';
import { rpc } from '@kinora/contracts/shared/contract';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { TestBroker, type TestBus, type TestService, connectTestBus, startTestService } from '@kinora/testing';
import { Handles } from './handles.decorator';

const MAX_BYTES = 4_096;

interface Ask {
  chars: number;
}

const alone = rpc<Ask, string>('reply_spec.v1.alone', { timeoutMs: 20_000, errors: [] });
const batched = rpc<Ask, string>('reply_spec.v1.batched', {
  timeoutMs: 20_000,
  errors: [],
  batching: { maxItems: 8, maxConcurrent: 2 },
});

@Controller()
class TextController {
  @Handles(alone)
  async alone({ chars }: Ask): Promise<string> {
    return 'x'.repeat(chars);
  }

  @Handles(batched)
  async batched({ chars }: Ask): Promise<string> {
    return 'x'.repeat(chars);
  }
}

describe('a reply and the max_payload of the broker', () => {
  let broker: TestBroker;
  let service: TestService;
  let client: TestBus;

  beforeAll(async () => {
    broker = await TestBroker.start(`max_payload: ${MAX_BYTES}`);
    service = await startTestService({ name: 'reply_spec', controllers: [TextController], natsUrl: broker.url });
    client = await connectTestBus(broker.url);
  });

  afterAll(async () => {
    await Promise.all([client.close(), service.close()]);
    await broker.close();
  });

  const outcomeOf = (contract: typeof alone, chars: number): Promise<number | ApiError> =>
    client.bus.request(contract, { chars }).then(
      (text) => text.length,
      (error: ApiError) => error,
    );
  const refused = {
    code: 'internal_error',
    status: 500,
    message: 'The answer is too large to be sent. Please ask for less at once.',
  };

  it('a reply of exactly max_payload arrives; one byte more is an error that names subject, size and limit', async () => {
    const chars = MAX_BYTES - '{"ok":""}'.length;
    expect(await outcomeOf(alone, chars)).toBe(chars);
    expect(service.log.of('bus_reply_too_large')).toEqual([]);
    expect(await outcomeOf(alone, chars + 1)).toMatchObject(refused);
    expect(service.log.of('bus_reply_too_large')).toEqual([
      expect.objectContaining({ subject: 'reply_spec.v1.alone', bytes: MAX_BYTES + 1, max_bytes: MAX_BYTES }),
    ]);
  });

  it('the answers of a batch that only fit one by one are sent one by one', async () => {
    const before = service.log.of('bus_reply_too_large').length;
    expect(await Promise.all([3_000, 3_001, 3_002].map((chars) => outcomeOf(batched, chars)))).toEqual([
      3_000, 3_001, 3_002,
    ]);
    expect(service.log.of('bus_reply_too_large')).toHaveLength(before);
  });

  it('an answer of a batch that does not fit fails alone, and its log line names it', async () => {
    const [first, tooLarge, last] = await Promise.all([10, 5_000, 20].map((chars) => outcomeOf(batched, chars)));
    expect([first, last]).toEqual([10, 20]);
    expect(tooLarge).toMatchObject(refused);
    expect(service.log.of('bus_reply_too_large').at(-1)).toMatchObject({
      subject: 'reply_spec.v1.batched',
      bytes: '[[1,{"ok":""}]]'.length + 5_000,
      max_bytes: MAX_BYTES,
    });
  });
});
