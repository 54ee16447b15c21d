import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compilerOptions } from '../../tsconfig.json';
import { ROOT } from '../../deploy/build/source-files';
import type { ImportFixture } from './import-rules.fixtures';

export type Side = 'refused' | 'allowed';

/** The kinds of import; each of them couples two files. */
export const IMPORT_FORMS = {
  import: (specifier: string) => `import { thing } from '${specifier}';\nexport const used = thing;\n`,
  'import type': (specifier: string) =>
    `import type { thing } from '${specifier}';\nexport type Used = typeof thing;\n`,
  'inline type import': (specifier: string) =>
    `import { type thing } from '${specifier}';\nexport type Used = typeof thing;\n`,
  're-export': (specifier: string) => `export { thing } from '${specifier}';\n`,
};

/** The files of a repository, by path. */
export type Tree = Record<string, string>;

/** A repository with the importing file, the imported file, and the imports of that one. */
export function importTree(fixture: ImportFixture, side: Side, form: keyof typeof IMPORT_FORMS): Tree {
  const specifier = fixture[side];
  const imported = fileOf(specifier, fixture.importer);
  const back = side === 'refused' ? fixture.refusedImports : undefined;
  const leaf = 'export const thing = 1;\n';
  const backFile = back && imported ? fileOf(back, imported) : null;
  return {
    ...(backFile ? { [backFile]: leaf } : {}),
    ...(imported ? { [imported]: back ? IMPORT_FORMS[form](back) : leaf } : {}),
    [fixture.importer]: IMPORT_FORMS[form](specifier),
  };
}

/** Writes a repository with this repository's aliases and packages. */
export async function plantTree(folder: string, tree: Tree): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { paths } = compilerOptions;
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }));
  await symlink(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [file, source] of Object.entries(tree)) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), source);
  }
}

/** The file that a specifier names; null for a package, which node_modules already holds. */
function fileOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return `${path.join(path.dirname(importer), specifier)}.ts`;
  const contract = /^@kinora\/contracts\/(.+)$/.exec(specifier);
  if (contract) return `libs/contracts/src/${contract[1]}.ts`;
  const aliases: Record<string, string[]> = compilerOptions.paths;
  return aliases[specifier]?.[0]?.replace('./', '') ?? null;
}
