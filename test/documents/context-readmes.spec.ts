import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

const SCHEMAS = 'test/schema';
const TABLE = /^CREATE (?:UNLOGGED )?TABLE (\w+)/gm;
/** Each context has this table for the migrations that have run. */
const MIGRATIONS = 'migration';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const readmeOf = (context: string): string => read(`apps/${context}/README.md`);
const namesIn = (folder: string, extension: string): string[] =>
  readdirSync(path.join(ROOT, folder)).flatMap((file) => (file.endsWith(extension) ? path.parse(file).name : []));

/** The words that a page nowhere shows as code. */
function missingIn(page: string, words: string[]): string[] {
  const code = [...page.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, text = '']) => text.match(/\w+/g) ?? [],
  );
  return words.filter((word) => !code.includes(word));
}

describe('README of a context', () => {
  it.each(namesIn(SCHEMAS, '.sql'))('names every table of %s', (context) => {
    const tables = [...read(`${SCHEMAS}/${context}.sql`).matchAll(TABLE)].map(([, name = '']) => name);
    expect(tables).toContain(MIGRATIONS);
    expect(
      missingIn(
        readmeOf(context),
        tables.filter((name) => name !== MIGRATIONS),
      ),
    ).toEqual([]);
  });

  it('does not count a name that is only a part of a word', () => {
    expect(
      missingIn('It answers `billing.v1.list_keys` from `api_key(id)`.', ['list', 'list_keys', 'api_key']),
    ).toEqual(['list']);
  });
});
