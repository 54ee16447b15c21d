import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { schemaOf } from '@kinora/database';
import { ROOT } from '../../deploy/build/source-files';
import { contextSchemas, tablesOf } from '../entities/context-entities';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const README = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: object };

describe('README of the repository', () => {
  it.each(['apps', 'libs'])('links the README of each folder of %s', (parent) => {
    const folders = readdirSync(path.join(ROOT, parent));
    expect(folders.length).toBeGreaterThan(5);
    expect(folders.filter((folder) => !README.includes(`](${parent}/${folder}/README.md)`))).toEqual([]);
  });

  it("names at most twelve commands, and the contributor's guide each that tests or measures", () => {
    expect((README.match(/^npm (run|ci|test)\b/gm) ?? []).length).toBeLessThanOrEqual(12);
    const commands = Object.keys(scripts).filter((name) => /^(test|bench):/.test(name));
    expect(commands.length).toBeGreaterThan(10);
    const pages = README + read('docs/contribute/README.md');
    expect(commands.filter((name) => !pages.includes(name))).toEqual([]);
  });

  it('answers each question about the code with a file and a text that this file holds', () => {
    const table = /^### Find your way\n+(?<table>(?:\|.*\n)+)/m.exec(README)?.groups?.['table'] ?? '';
    const rows = table.trim().split('\n').slice(2);
    expect(rows.length).toBeGreaterThan(6);
    const wrong = rows.filter((row) => {
      const [, file = '', text = ''] = /\]\(([^)#]+)[^)]*\)[^|]*\| *`([^`]+)` *\|$/.exec(row) ?? [];
      return file === '' || !existsSync(path.join(ROOT, file)) || !read(file).includes(text);
    });
    expect(wrong).toEqual([]);
  });
});

describe('tables', () => {
  it('are each named as code by the README of their context', async () => {
    for (const schema of await contextSchemas()) {
      const prose = read(`apps/${schema.context}/README.md`).replaceAll(/^```.*?^```$/gms, '');
      const code = [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => text.match(/\w+/g) ?? []);
      expect(code).toEqual(expect.arrayContaining(tablesOf(schema)));
    }
  });

  it('have their retention in the page on data, and no other has', async () => {
    const own = (await contextSchemas()).flatMap((schema) =>
      tablesOf(schema).map((name) => `${schemaOf(schema.context)}.${name}`),
    );
    expect(own.length).toBeGreaterThan(25);
    const rows = /^Every table:\n\n([^#]*)/m.exec(read('docs/data.md'))?.[1]?.match(/^- \*\*.*/gm) ?? [];
    const listed = rows.flatMap((row) =>
      [...(row.split('**: ')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
    );
    // Each context also has a table `migration`.
    expect(listed.toSorted()).toEqual([...own, 'migration'].toSorted());
  });
});
