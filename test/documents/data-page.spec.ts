import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const SCHEMAS = path.join(ROOT, 'test/schema');
const TABLE = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gm;

/** As `context.table`, from the schema dumps; each context has a table `migration`. */
function tables(): string[] {
  const dumps = readdirSync(SCHEMAS).filter((file) => file.endsWith('.sql'));
  return dumps.flatMap((file) => {
    const context = path.basename(file, '.sql').replace('-', '_');
    const dump = readFileSync(path.join(SCHEMAS, file), 'utf8');
    return [...dump.matchAll(TABLE)].map(([, name = '']) => (name === 'migration' ? name : `${context}.${name}`));
  });
}

function listedTables(): string[] {
  const page = readFileSync(path.join(ROOT, 'docs/data.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `/.test(line));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name));
}

describe('the page on data', () => {
  it('states the retention of every table, and of no other', () => {
    const existing = new Set(tables());
    expect(existing.size).toBeGreaterThan(25);
    expect(listedTables().toSorted()).toEqual([...existing].toSorted());
  });
});
