import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../source-files';

interface Outcome {
  exitCode: number;
  output: string;
}

/** Each kind of generated file, with one file as an example. */
const KEPT = {
  contracts: 'test/contract/golden/jobs.json',
  schema: 'test/schema/jobs.sql',
  settings: '.env.example',
  openapi: 'apps/gateway/openapi.json',
  python: 'libs/sdk-python/src/kinora/types.py',
};
const FOLDERS = [
  'test/contract/golden',
  'test/schema',
  '.env.example',
  'apps/gateway/openapi.json',
  'apps/gateway/openapi.openai.json',
  'apps/console/openapi.json',
  'libs/sdk-python/src/kinora',
];

describe('generated files', () => {
  let tampered: string;

  beforeAll(async () => {
    tampered = await mkdtemp(path.join(tmpdir(), 'kinora-generated-'));
    for (const kept of FOLDERS) await cp(path.join(ROOT, kept), path.join(tampered, kept), { recursive: true });
    for (const file of Object.values(KEPT)) await appendFile(path.join(tampered, file), 'x');
  });

  afterAll(() => rm(tampered, { recursive: true, force: true }));

  it.each(Object.keys(KEPT))(
    'of %s are up to date',
    async (kind) => {
      expect(await generate(kind)).toEqual({ exitCode: 0, output: '' });
    },
    240_000,
  );

  it.each(Object.entries(KEPT))(
    'of %s are named if they are not up to date',
    async (kind, file) => {
      const { exitCode, output } = await generate(kind, '--checkout', tampered);
      expect({ exitCode, output }).toEqual({
        exitCode: 1,
        output: expect.stringMatching(`^${file} is not current.*\n$`),
      });
    },
    240_000,
  );
});

function generate(...args: string[]): Promise<Outcome> {
  const command = ['-r', './test/typescript.cjs', 'deploy/build/generate/generate.ts', ...args];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: ROOT }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}
