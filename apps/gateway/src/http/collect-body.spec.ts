import { Readable } from 'node:stream';
import { collectBody } from './collect-body';

const BOUNDS = { maxBytes: 80_000, timeoutMs: 60_000 };

describe('collect body', () => {
  it('takes no more room than the body may fill, however it grows', async () => {
    const bytes = await collectBody(Readable.from([Buffer.alloc(70_000, 'a'), Buffer.from('b')]), BOUNDS);
    expect([bytes.length, bytes.at(-1)]).toEqual([70_001, 'b'.charCodeAt(0)]);
    expect(bytes.buffer.byteLength).toBe(80_000);
  });

  it('refuses a body whose client left, before or while it is read', async () => {
    const isCutOff = expect.objectContaining({ code: 'invalid_body' }) as unknown;
    const left = new Readable({ read: () => undefined }).destroy();
    await new Promise((resolve) => left.once('close', resolve));
    await expect(collectBody(left, BOUNDS)).rejects.toEqual(isCutOff);
    const leaving = new Readable({ read: () => undefined });
    const collected = collectBody(leaving, BOUNDS);
    leaving.destroy(new Error('aborted'));
    await expect(collected).rejects.toEqual(isCutOff);
  });

  it('waits for a slow body no longer than it may', async () => {
    const slow = new Readable({ read: () => undefined });
    slow.push('the beginning');
    const collected = collectBody(slow, { ...BOUNDS, timeoutMs: 10 });
    await expect(collected).rejects.toThrow('The body took too long to arrive.');
  });
});
