import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import nestCli from '../../nest-cli.json';
import { compilerOptions } from '../../tsconfig.json';
import { ROOT } from '../support/source-files';

interface Project {
  type: string;
  root: string;
  sourceRoot: string;
  entryFile?: string;
}

const projects: Project[] = Object.values(nestCli.projects);
const foldersIn = (folder: string) => readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`);

describe('monorepo', () => {
  it('is described by nest-cli.json as it is', () => {
    expect(projects.map(({ root }) => root).sort()).toEqual([...foldersIn('apps'), ...foldersIn('libs')].sort());
  });

  it('has the entry of every project where nest-cli.json says', () => {
    const entries = projects.filter(({ entryFile }) => entryFile !== undefined);
    const missing = entries.filter(
      ({ sourceRoot, entryFile }) => !existsSync(path.join(ROOT, sourceRoot, `${entryFile}.ts`)),
    );
    expect(missing).toEqual([]);
  });

  it('gives every library an alias', () => {
    const aliased = Object.values(compilerOptions.paths).map(([file = '']) => file.split('/').slice(0, 2).join('/'));
    expect(aliased.sort()).toEqual(foldersIn('libs').sort());
  });
});
