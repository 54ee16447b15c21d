// Bundles the program and all it uses but sharp, which has native parts, into dist/kinora-mcp.cjs. `npm pack` runs it first. With
// `--if-missing` it bundles the build of the repository that exists.
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { build } from 'rolldown';

const ROOT = path.resolve(import.meta.dirname, '../..');
const compiled = spawnSync(process.execPath, ['deploy/build/build.mjs', ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: ['ignore', 2, 2],
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

const file = path.join(import.meta.dirname, 'dist/kinora-mcp.cjs');
await build({
  cwd: ROOT,
  input: path.join(ROOT, 'dist/apps/mcp/src/main.js'),
  platform: 'node',
  external: ['sharp'],
  output: { file, format: 'cjs', codeSplitting: false },
  logLevel: 'warn',
});
chmodSync(file, 0o755);
