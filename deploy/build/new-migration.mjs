// Generates a migration and registers it: `npm run new:migration -- billing add-account-reference`.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MINUTE_MS = 60_000;
/** The end of the last import of a file. */
const LAST_IMPORT = /(?<=^import [^;]*;\n)(?!import )/m;
const [context = '', name = ''] = process.argv.slice(2);
const folder = path.posix.join('apps', context, 'src/migrations');
const list = `${folder}/migrations.ts`;

if (!/^[a-z]+(-[a-z0-9]+)+$/.test(name))
  fail('The migration must be named verb-noun in kebab-case, for example add-account-reference.');
if (context === '' || !existsSync(path.join(ROOT, list)))
  fail(`There is no context "${context}" with migrations: ${list} is missing.`);

const before = (await readdir(path.join(ROOT, folder))).filter((file) => /^\d{8}T\d{4}-/.test(file)).sort();
const taken = before.find((file) => file.endsWith(`-${name}.ts`));
if (taken) fail(`${folder}/${taken} is there already: a migration is never changed, so choose another name.`);
const moment = nextMoment(before.at(-1));
const stamp = moment.toISOString().replaceAll(/[-:]/g, '').slice(0, 13);
const className = `${name.replaceAll(/(^|-)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase())}${moment.getTime()}`;

await write(`${folder}/${stamp}-${name}.ts`, migration());
const registered = await readFile(path.join(ROOT, list), 'utf8');
await write(
  list,
  registered
    .replace(LAST_IMPORT, `import { ${className} } from './${stamp}-${name}';\n`)
    .replace(/,?\s*(?=\];)/, `, ${className}`),
);
console.log(
  'Next: write its header and its statements (libs/database/README.md, "Migrations"), then npm run check:services.',
);

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

/** Formatted, because the length of the list decides whether it is one line. */
async function write(file, source) {
  await writeFile(path.join(ROOT, file), source);
  execFileSync('node_modules/.bin/oxfmt', [file], { cwd: ROOT });
  console.log(file);
}

/** The current minute, but after the newest migration, because migrations run in the order of their names. */
function nextMoment(newest) {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  if (newest === undefined) return new Date(now);
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(newest).map(Number);
  return new Date(Math.max(now, Date.UTC(year, month - 1, day, hour, minute) + MINUTE_MS));
}

function migration() {
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why: …
 * Lock: … Way back: …
 */
export class ${className} implements MigrationInterface {
  name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('');
  }
}
`;
}
