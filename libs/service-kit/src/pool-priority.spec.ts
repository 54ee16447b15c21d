import { execFileSync } from 'node:child_process';

/** Prints the priorities of the main thread and of the pool thread that has derived a key. */
const PROGRAM = `
  const { pbkdf2 } = require('node:crypto');
  const { readFileSync, readdirSync } = require('node:fs');
  const { getPriority } = require('node:os');
  const ticksOf = (id) => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[11]);
  const read = () => new Map(readdirSync('/proc/self/task').map((id) => [Number(id), ticksOf(id)]));
  const before = read();
  pbkdf2('', '', 1_000_000, 1, 'sha256', () => {
    const worked = (id, ticks) => ticks - (before.get(id) ?? 0);
    const [busiest] = [...read()].filter(([id]) => id !== process.pid).sort((a, b) => worked(...b) - worked(...a));
    console.log(JSON.stringify([getPriority(process.pid), getPriority(busiest[0])]));
  });
`;

describe('pool priority', () => {
  it('is lower than that of the event loop', () => {
    const preloads = ['-r', './test/typescript.cjs', '-r', './libs/service-kit/src/before-program.ts'];
    const printed = execFileSync(process.execPath, [...preloads, '-e', PROGRAM], { encoding: 'utf8' });
    const [eventLoop = 0, pool = 0] = JSON.parse(printed) as number[];
    expect(pool).toBe(process.platform === 'linux' ? Math.max(eventLoop, 10) : eventLoop);
  });
});
