import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CRASH_POINTS } from '@kinora/service-kit';
import nestCli from '../../nest-cli.json';
import packageLock from '../../package-lock.json';
import { compilerOptions } from '../../tsconfig.json';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';

interface Project {
  type: string;
  root: string;
  sourceRoot: string;
  entryFile?: string;
}

const projects: Project[] = Object.values(nestCli.projects);
/** Written in another language, so neither Nest nor the compiler knows it. */
const PYTHON = 'libs/sdk-python';
const foldersIn = (folder: string) =>
  readdirSync(path.join(ROOT, folder))
    .map((name) => `${folder}/${name}`)
    .filter((place) => place !== PYTHON);

describe('monorepo', () => {
  it('matches nest-cli.json', () => {
    expect(projects.map(({ root }) => root).sort()).toEqual([...foldersIn('apps'), ...foldersIn('libs')].sort());
  });

  it('has the entry file of every project where nest-cli.json expects it', () => {
    const entries = projects.filter(({ entryFile }) => entryFile !== undefined);
    const missing = entries.filter(
      ({ sourceRoot, entryFile }) => !existsSync(path.join(ROOT, sourceRoot, `${entryFile}.ts`)),
    );
    expect(missing).toEqual([]);
  });

  it('gives every library an alias', () => {
    const aliased = Object.values(compilerOptions.paths).map(([file = '']) => file.split('/').slice(1, 3).join('/'));
    expect(new Set(aliased)).toEqual(new Set(foldersIn('libs')));
  });

  // npm omits optional packages of other platforms that a registry does not have, and then `npm ci` refuses the lock file.
  it('locks the optional packages of every platform, so that npm ci accepts the lock file', () => {
    const locked = packageLock.packages as Record<string, { optionalDependencies?: Record<string, string> }>;
    const optional = Object.values(locked).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(optional.filter((name) => !(`node_modules/${name}` in locked))).toEqual([]);
  });
});

/** Production files only: a spec may name a crash point too. */
const SHIPPED = /^(?!.*\.(spec|fixtures)\.ts$).*\.ts$/;

/** test/faults/crash-points.e2e-spec.ts goes through the same list and proves that a process dies at each point. */
describe('crash points', () => {
  it('stand in the code once each', () => {
    const sources = ['apps', 'libs'].flatMap((folder) => sourceFiles(folder, SHIPPED));
    const calls = sources.flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/crashPoint\('([^']*)'\)/g)].map(([, point]) => point),
    );
    expect(calls.sort()).toEqual([...CRASH_POINTS].sort());
  });
});
