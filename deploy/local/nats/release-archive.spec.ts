import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeChecked } from './release-archive';

describe('release archive', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-archive-'));
  const archive = path.join(folder, 'nats-server.tar.gz');
  const content = Buffer.from('archive');
  const checksum = createHash('sha256').update(content).digest('hex');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is not even written if its checksum is not the pinned one', async () => {
    await expect(writeChecked(folder, Buffer.from('another'), checksum)).rejects.toThrow('SHA-256');
    expect(existsSync(archive)).toBe(false);
    expect(readFileSync(await writeChecked(folder, content, checksum))).toEqual(content);
  });
});
