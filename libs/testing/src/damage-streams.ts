import { open, readdir, truncate } from 'node:fs/promises';
import path from 'node:path';

/**
 * In the store of a broker that is stopped, every block of messages loses its second half, or has one byte inverted in its middle.
 * @returns how many had messages.
 */
export async function damageStreams(storeDir: string, kind: 'truncate' | 'flip'): Promise<number> {
  let damaged = 0;
  const files = await readdir(storeDir, { recursive: true });
  for (const name of files.filter((file) => file.endsWith('.blk'))) {
    const file = path.join(storeDir, name);
    const handle = await open(file, 'r+');
    try {
      const { size } = await handle.stat();
      const middle = Math.floor(size / 2);
      damaged += size > 0 ? 1 : 0;
      if (kind === 'truncate') await truncate(file, middle);
      else if (size > 0) {
        const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, middle);
        await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0xff]), 0, 1, middle);
      }
    } finally {
      await handle.close();
    }
  }
  return damaged;
}
