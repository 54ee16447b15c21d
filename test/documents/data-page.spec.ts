import { readFileSync } from 'node:fs';
import path from 'node:path';
import { schemaOf } from '@kinora/database';
import { contextSchemas, tablesOf } from '../entities/context-entities';

const ROOT = path.resolve(__dirname, '../..');
/** As `context.table`; each context also has a table `migration`. */
async function tables(): Promise<string[]> {
  const schemas = await contextSchemas();
  const own = schemas.flatMap((schema) => tablesOf(schema).map((name) => `${schemaOf(schema.context)}.${name}`));
  return [...own, 'migration'];
}

function listedTables(): string[] {
  const page = readFileSync(path.join(ROOT, 'docs/data.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `/.test(line));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name));
}

describe('the page on data', () => {
  it('states the retention of every table, and of no other', async () => {
    const existing = new Set(await tables());
    expect(existing.size).toBeGreaterThan(25);
    expect(listedTables().toSorted()).toEqual([...existing].toSorted());
  });
});
