import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findBlockingFolder } from './postgres-binaries';

describe('blocking folder', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kinora-blocking-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('is the outermost one without access for others, also on the path to a folder that does not exist yet', () => {
    const inner = path.join(root, 'a/b');
    mkdirSync(inner, { recursive: true });
    for (const folder of [root, path.join(root, 'a'), inner]) chmodSync(folder, 0o755);
    expect(findBlockingFolder(path.join(inner, 'new'))).toBeNull();
    chmodSync(inner, 0o700);
    expect(findBlockingFolder(path.join(inner, 'new'))).toBe(inner);
    chmodSync(root, 0o750);
    expect(findBlockingFolder(path.join(inner, 'new'))).toBe(root);
  });
});
