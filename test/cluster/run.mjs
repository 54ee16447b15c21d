// Builds, then runs the named suites of this folder, or all: `npm run test:cluster [-- nats postgres]`. A suite is a folder of
// `*.e2e-spec.ts` files. Each starts whole clusters, so they run one after the other, and `npm test` leaves them out.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

const suites = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}: the suites are ${suites.join(', ')}.`);
  process.exit(1);
}
const folders = (requested.length > 0 ? requested : suites).map((name) => `test/cluster/${name}/`);
const jest = ['node_modules/jest/bin/jest.js', '-c', 'test/jest.config.cjs', '--ci', '--runInBand', ...folders];
for (const args of [['deploy/build/build.mjs'], jest]) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
