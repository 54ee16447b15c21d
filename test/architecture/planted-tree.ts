import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compilerOptions } from '../../tsconfig.json';
import type { ImportFixture } from './import-rules.fixtures';

const ROOT = path.resolve(__dirname, '../..');

export type Side = 'refused' | 'allowed';

/** The ways to name another file; each of them couples. */
export const IMPORT_FORMS = {
  import: (specifier: string) => `import { thing } from '${specifier}';\nexport const used = thing;\n`,
  'import type': (specifier: string) =>
    `import type { thing } from '${specifier}';\nexport type Used = typeof thing;\n`,
  'inline type import': (specifier: string) =>
    `import { type thing } from '${specifier}';\nexport type Used = typeof thing;\n`,
  're-export': (specifier: string) => `export { thing } from '${specifier}';\n`,
};

/** Writes a repository of two files: the importer and what it imports. */
export async function plantTree(
  tree: string,
  fixture: ImportFixture,
  side: Side,
  form: keyof typeof IMPORT_FORMS,
): Promise<void> {
  await mkdir(tree, { recursive: true });
  const { baseUrl, paths } = compilerOptions;
  await writeFile(path.join(tree, 'tsconfig.json'), JSON.stringify({ compilerOptions: { baseUrl, paths } }));
  await symlink(path.join(ROOT, 'package.json'), path.join(tree, 'package.json'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'));

  const specifier = fixture[side];
  const imported = fileOf(specifier, fixture.importer);
  const back = side === 'refused' ? fixture.refusedImports : undefined;
  if (imported) await writeSource(tree, imported, back ? IMPORT_FORMS[form](back) : 'export const thing = 1;\n');
  await writeSource(tree, fixture.importer, IMPORT_FORMS[form](specifier));
}

/** The file that a specifier names, or null for a package, which lies in node_modules already. */
function fileOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return `${path.join(path.dirname(importer), specifier)}.ts`;
  const contract = /^@kinora\/contracts\/(.+)$/.exec(specifier);
  if (contract) return `libs/contracts/src/${contract[1]}.ts`;
  const library = /^@kinora\/(.+)$/.exec(specifier);
  return library ? `libs/${library[1]}/src/index.ts` : null;
}

async function writeSource(tree: string, file: string, source: string): Promise<void> {
  await mkdir(path.join(tree, path.dirname(file)), { recursive: true });
  await writeFile(path.join(tree, file), source);
}
