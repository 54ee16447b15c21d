import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { contextSchemas, tablesOf } from '../entities/context-entities';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const readmeOf = (context: string): string => read(`apps/${context}/README.md`);

/** The words that a page nowhere shows as code. */
function missingIn(page: string, words: string[]): string[] {
  const code = [...page.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, text = '']) => text.match(/\w+/g) ?? [],
  );
  return words.filter((word) => !code.includes(word));
}

describe('README of a context', () => {
  it('names every table', async () => {
    const schemas = await contextSchemas();
    expect(schemas.length).toBeGreaterThan(4);
    for (const schema of schemas)
      expect({ [schema.context]: missingIn(readmeOf(schema.context), tablesOf(schema)) }).toEqual({
        [schema.context]: [],
      });
  });

  it('does not count a name that is only a part of a word', () => {
    expect(
      missingIn('It answers `billing.v1.list_keys` from `api_key(id)`.', ['list', 'list_keys', 'api_key']),
    ).toEqual(['list']);
  });
});
