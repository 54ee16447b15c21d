// Everything that can be said of the code without running it: `npm run check`, or some of it: `npm run check -- lint types`.
// All steps run, so that one run names all that is wrong.
import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const TYPESCRIPT = ['node', '-r', './test/typescript.cjs'];

const STEPS = {
  format: ['prettier', '--check', '.'],
  lint: ['eslint', '.'],
  imports: [
    ...['depcruise', '--config', 'test/architecture/dependency-cruiser.cjs'],
    ...['--output-type', `plugin:${ROOT}/test/architecture/import-report.mjs`, 'apps', 'libs', 'deploy', 'test'],
  ],
  types: ['tsc', '--noEmit'],
  handlers: [...TYPESCRIPT, 'test/contract/check-contracts.ts'],
  migrations: [...TYPESCRIPT, 'test/migrations/check-migrations.ts'],
  contracts: [...TYPESCRIPT, 'test/generated/generate.ts', 'contracts'],
  entities: [...TYPESCRIPT, 'test/entities/check-entities.ts'],
  schema: [...TYPESCRIPT, 'test/generated/generate.ts', 'schema'],
  settings: [...TYPESCRIPT, 'test/generated/generate.ts', 'settings'],
  openapi: [...TYPESCRIPT, 'test/generated/generate.ts', 'openapi'],
  broker: [...TYPESCRIPT, 'test/generated/generate.ts', 'broker'],
  chart: [...TYPESCRIPT, 'test/generated/generate.ts', 'chart'],
  architecture: [...TYPESCRIPT, 'test/generated/generate.ts', 'architecture'],
  telemetry: [...TYPESCRIPT, 'test/generated/generate.ts', 'metrics', 'alerts', 'dashboards'],
  reference: ['redocly', 'lint', '--config', 'test/openapi/redocly.yaml', 'apps/gateway/openapi.json'],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}: the steps are ${Object.keys(STEPS).join(', ')}.`);
  process.exit(1);
}
const failed = [];
for (const name of asked.length > 0 ? asked : Object.keys(STEPS)) {
  const startedAt = performance.now();
  const { exitCode, output } = await run(STEPS[name]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)}${seconds.padStart(6)} s`);
  if (exitCode === 0) continue;
  failed.push(name);
  console.log(output.trimEnd().replaceAll(/^/gm, '        '));
}
console.log(failed.length === 0 ? 'Nothing to complain about.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run([program, ...args]) {
  const tools = path.join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${tools}${path.delimiter}${process.env.PATH}` };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}
