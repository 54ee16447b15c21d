import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { readReference } from '../support/published-reference';

describe('the linter of the reference', () => {
  it('refuses an operation without an operationId, and names its place', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kinora-reference-'));
    const file = path.join(folder, 'openapi.json');
    const reference = readReference((key, value) => (key === 'operationId' && value === 'ping' ? undefined : value));
    await writeFile(file, JSON.stringify(reference));
    const { exitCode, output } = await lint(file);
    await rm(folder, { recursive: true });
    expect(output).toMatch(/paths\/~1ping\/get[^]*operation-operationId/);
    expect(exitCode).toBe(1);
  });
});

function lint(file: string): Promise<{ exitCode: number | null; output: string }> {
  const command = [path.join(ROOT, 'node_modules/.bin/redocly'), 'lint', '--config', 'test/openapi/redocly.yaml', file];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      command,
      { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } },
      (_, out, problems) => resolve({ exitCode: child.exitCode, output: out + problems }),
    );
  });
}
