import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ENVIRONMENT = path.join(__dirname, 'shared-environment.cjs');
/** What jest does around a spec file, in a process of its own: the environment would end the globals of this one. */
const around = (file: string): string => `
  const Environment = require(${JSON.stringify(ENVIRONMENT)});
  const projectConfig = { testEnvironmentOptions: { endWithinMs: 1_000 }, globals: {}, fakeTimers: {} };
  const environment = new Environment({ projectConfig }, { testPath: 'a.spec.ts' });
  (async () => {
    ${file}
    const problem = await environment.teardown().then(() => 'none', (error) => error.message);
    console.log(JSON.stringify({ problem, variable: process.env.KINORA_OF_A_SPEC ?? null, other: globalThis.ofASpec ?? null }));
    process.exit();
  })();`;

async function outcomeOf(file: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', around(file)]);
  return JSON.parse(stdout) as unknown;
}

describe('the environment of a spec file', () => {
  it.each([
    ['a server', `require('node:net').createServer().listen(0);`, /^The file leaves running: a server on port \d+\./],
    ['a child', `require('node:child_process').spawn('sleep', ['5']);`, /a child: sleep 5/],
    ['a timer', `setInterval(() => 0, 7);`, /a timer of 7 ms/],
    ['a rejection', `Promise.reject(new Error('lost'));`, /a rejection that nothing awaits: lost/],
  ])('fails a file that leaves %s', async (_, file, problem) => {
    expect(await outcomeOf(file)).toMatchObject({ problem: expect.stringMatching(problem) as string });
  });

  it('restores what a file changes in its process, and waits for what ends by itself', async () => {
    const file = `process.env.KINORA_OF_A_SPEC = 'set'; globalThis.ofASpec = 'set'; setTimeout(() => 0, 200);
      require('node:net').createServer().listen(0, function () { setTimeout(() => this.close(), 100); });`;
    expect(await outcomeOf(file)).toEqual({ problem: 'none', variable: null, other: null });
  });
});
