import { DiskWatch, assertDiskHasRoom, explainFullDisk } from './disk-space';

const MB = 1_000_000;

describe('the disk of a stack', () => {
  it('prevents a start with one line if it is full', async () => {
    await expect(assertDiskHasRoom('/data', async () => 63 * MB)).rejects.toThrow(
      'The disk of /data is full: 63 MB are free, and Kinora needs 64 MB. Free some space.',
    );
    await assertDiskHasRoom('/data', async () => 64 * MB);
  });

  it('is reported once when it is full, and once when it has room again', async () => {
    const printed: string[] = [];
    let free: number | Error = 500 * MB;
    const watch = new DiskWatch(
      '/data',
      (text) => printed.push(text),
      async () => {
        if (free instanceof Error) throw free;
        return free;
      },
    );
    for (const now of [500, 63, 0, 12, new Error('gone'), 12, 400, 400]) {
      free = now instanceof Error ? now : now * MB;
      await watch.sample();
    }
    expect(printed).toEqual([
      expect.stringMatching(/^The disk of \/data is full: 63 MB are free.*503; nothing that was accepted is lost\.$/),
      'The disk of /data has room again: 400 MB are free.',
    ]);
  });

  it('is named in the error of a write that failed for lack of space, and in no other', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/data/a' });
    expect(explainFullDisk(full)).toMatch(/^The disk is full \(\/data\/a cannot be written\): free some space/);
    expect(explainFullDisk(new Error('ENOENT'))).toBeNull();
  });
});
