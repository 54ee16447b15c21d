import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findFreePorts, whyNotFree } from './free-ports';

describe('free ports', () => {
  it('are never returned twice, not even to two calls at once', async () => {
    const requested = await Promise.all([findFreePorts(100), findFreePorts(100), findFreePorts(1)]);
    expect(new Set(requested.flat()).size).toBe(201);
  });

  it('avoid the ports of another process that does not listen on them yet', async () => {
    const script = `
      require(${JSON.stringify(path.resolve('test/typescript.cjs'))});
      const { findFreePorts } = require(${JSON.stringify(path.join(__dirname, 'free-ports.ts'))});
      findFreePorts(60).then((ports) => { console.log(JSON.stringify(ports)); setInterval(() => {}, 1000); });`;
    const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [text] = (await once(other.stdout, 'data')) as [Buffer];
      const theirs = new Set(JSON.parse(text.toString()) as number[]);
      // So many that random choices would almost certainly collide.
      const ours = await findFreePorts(1_200);
      expect(ours.filter((port) => theirs.has(port))).toEqual([]);
    } finally {
      other.kill();
    }
  });

  it('are of few blocks for all specs of a process, each of which loads this file anew', async () => {
    const blocks = new Set<number>();
    for (let specs = 0; specs < 20; specs += 1)
      await jest.isolateModulesAsync(async () => {
        const anew = await import('./free-ports');
        const [port] = (await anew.findFreePorts(1)) as [number];
        blocks.add(Math.floor((port - 20_000) / 64));
      });
    expect(blocks.size).toBeLessThan(5);
  });

  it('can be listened on', async () => {
    const [port] = (await findFreePorts(1)) as [number];
    expect(await whyNotFree(port)).toBeNull();
  });

  it('never include a reserved port', async () => {
    const [before] = (await findFreePorts(1)) as [number];
    const reserved = before + 1;
    expect(await findFreePorts(100, [reserved])).not.toContain(reserved);
  });
});
