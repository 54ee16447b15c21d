import { Readable } from 'node:stream';
import { ApiError } from '@kinora/contracts/shared/errors';
import { type BodyBounds, collectBody, cutOffAfterMs, receiveBody } from './collect-body';

const PACE = { graceMs: 60_000, minBytesPerSecond: 0, maxMs: 60_000 };

const boundsOf = (bounds: Partial<BodyBounds> = {}): BodyBounds => ({
  maxBytes: 80_000,
  pace: PACE,
  charge: () => undefined,
  ...bounds,
});

function openBody(...chunks: string[]): Readable {
  const body = new Readable({ read: () => undefined });
  for (const chunk of chunks) body.push(chunk);
  return body;
}

describe('collect body', () => {
  it('charges each chunk before it is kept, and keeps no chunk that does not fit', async () => {
    const charged: number[] = [];
    const pieces = await collectBody(
      Readable.from([Buffer.alloc(70_000, 'a'), Buffer.from('b')]),
      boundsOf({ charge: (bytes) => charged.push(bytes) }),
    );
    expect(charged).toEqual([70_000, 1]);
    expect(Buffer.concat(pieces).equals(Buffer.from(`${'a'.repeat(70_000)}b`))).toBe(true);
    const refusal = ApiError.unavailable('Room');
    const refused = collectBody(
      openBody('begun'),
      boundsOf({
        charge: () => {
          throw refusal;
        },
      }),
    );
    await expect(refused).rejects.toBe(refusal);
  });

  it('takes a body of exactly its limit, and refuses a longer one without a declared length before its last chunk is charged', async () => {
    const charged: number[] = [];
    const bounds = boundsOf({ maxBytes: 10, charge: (bytes) => charged.push(bytes) });
    const pieces = await collectBody(Readable.from([Buffer.alloc(6), Buffer.alloc(4)]), bounds);
    expect(Buffer.concat(pieces)).toHaveLength(10);
    const longer = collectBody(Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), bounds);
    await expect(longer).rejects.toMatchObject({ code: 'invalid_body' });
    expect(charged).toEqual([6, 4, 6]);
  });

  it('allocates memory for what has arrived, not for the declared length', async () => {
    const body = openBody('x');
    const collected = collectBody(body, boundsOf({ maxBytes: 43_000_000, declaredBytes: 43_000_000 }));
    body.push(null);
    const memory = (await collected).reduce((bytes, { buffer }) => bytes + buffer.byteLength, 0);
    expect(memory).toBeLessThanOrEqual(16 * 1024);
  });

  it('keeps the pieces of a large body apart, each with its own memory and little more than it needs', async () => {
    const chunk = Buffer.alloc(60_000, 'x');
    const pieces = await collectBody(
      Readable.from(Array.from({ length: 100 }, () => chunk)),
      boundsOf({ maxBytes: 43_000_000 }),
    );
    const memory = pieces.reduce((bytes, { buffer }) => bytes + buffer.byteLength, 0);
    expect(Buffer.concat(pieces).equals(Buffer.alloc(6_000_000, 'x'))).toBe(true);
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
    expect(memory).toBeLessThan(1.25 * 6_000_000);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
  });

  it('refuses a body whose client disconnects before or during reading', async () => {
    const isCutOff = expect.objectContaining({ code: 'invalid_body' }) as unknown;
    const left = openBody().destroy();
    await new Promise((resolve) => left.once('close', resolve));
    await expect(collectBody(left, boundsOf())).rejects.toEqual(isCutOff);
    const leaving = openBody();
    const collected = collectBody(leaving, boundsOf());
    leaving.destroy(new Error('aborted'));
    await expect(collected).rejects.toEqual(isCutOff);
  });

  it('ends with what its reader refuses, and reads nothing of the rest', async () => {
    const calls: string[] = [];
    const refusal = new ApiError('invalid_body', 'A part is refused.');
    const body = openBody('begun');
    const received = receiveBody(body, boundsOf(), {
      length: 0,
      add: () => {
        calls.push('add');
        throw refusal;
      },
      end: () => void calls.push('end'),
      drop: () => void calls.push('drop'),
    });
    await expect(received).rejects.toBe(refusal);
    const ended = new Promise((resolve) => body.once('end', resolve));
    body.push('the rest');
    body.push(null);
    await ended;
    expect(calls).toEqual(['add', 'drop']);
  });

  it('waits for a body no longer than its time limit', async () => {
    const collected = collectBody(openBody('the beginning'), boundsOf({ pace: { ...PACE, maxMs: 10 } }));
    await expect(collected).rejects.toThrow('all of it must arrive within 0.01 s');
  });

  it('refuses a sender below the minimum rate, and not one that keeps to it on average', async () => {
    const pace = { graceMs: 20, minBytesPerSecond: 1_000, maxMs: 60_000 };
    const silent = collectBody(openBody('x'), boundsOf({ pace }));
    await expect(silent).rejects.toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('after 0.02 s it must average 1000 bytes a second') as string,
    });
    const burst = openBody('x'.repeat(70_000));
    const collected = collectBody(burst, boundsOf({ pace }));
    // Longer than the other had, and less than seventy thousand bytes pay for.
    await expect(collectBody(openBody('x'), boundsOf({ pace }))).rejects.toThrow();
    burst.push(null);
    expect(Buffer.concat(await collected).length).toBe(70_000);
  });
});

const SENDER_PACE = { graceMs: 5_000, minBytesPerSecond: 16_384, maxMs: 60_000 };

describe('the pace of a sender', () => {
  it.each([
    ['nothing', 0, 5_000],
    ['one second at the minimum rate', 16_384, 6_000],
    ['ten seconds at that rate in one chunk', 163_840, 15_000],
    ['more than the time limit allows', 43_000_000, 60_000],
  ])('sets the time limit of a body of which %s has arrived', (_name, bytes, ms) => {
    expect(cutOffAfterMs(bytes, SENDER_PACE)).toBe(ms);
  });

  it('has no minimum rate if it is 0', () => {
    expect(cutOffAfterMs(0, { ...SENDER_PACE, minBytesPerSecond: 0 })).toBe(60_000);
  });
});
