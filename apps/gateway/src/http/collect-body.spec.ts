import { Readable } from 'node:stream';
import { collectBody } from './collect-body';

describe('collect body', () => {
  it('takes no more room than the body may fill, however it grows', async () => {
    const bytes = await collectBody(Readable.from([Buffer.alloc(70_000, 'a'), Buffer.from('b')]), 80_000);
    expect([bytes.length, bytes.at(-1)]).toEqual([70_001, 'b'.charCodeAt(0)]);
    expect(bytes.buffer.byteLength).toBe(80_000);
  });
});
