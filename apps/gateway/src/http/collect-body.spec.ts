import { Readable } from 'node:stream';
import { collectBody } from './collect-body';

describe('collect body', () => {
  it('takes no more room than the body may fill, however it grows', async () => {
    const bytes = await collectBody(Readable.from([Buffer.alloc(70_000, 'a'), Buffer.from('b')]), 80_000);
    expect([bytes.length, bytes.at(-1)]).toEqual([70_001, 'b'.charCodeAt(0)]);
    expect(bytes.buffer.byteLength).toBe(80_000);
  });

  it('refuses a body whose client left, before or while it is read', async () => {
    const isCutOff = expect.objectContaining({ code: 'invalid_body' }) as unknown;
    const left = new Readable({ read: () => undefined }).destroy();
    await new Promise((resolve) => left.once('close', resolve));
    await expect(collectBody(left, 10)).rejects.toEqual(isCutOff);
    const leaving = new Readable({ read: () => undefined });
    const collected = collectBody(leaving, 10);
    leaving.destroy(new Error('aborted'));
    await expect(collected).rejects.toEqual(isCutOff);
  });
});
