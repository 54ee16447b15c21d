import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compilerOptions } from '../../tsconfig.json';
import { ROOT } from '../../deploy/build/source-files';
import type { ImportFixture } from './import-rules.fixtures';

/** The files of a repository, by path. */
export type Tree = Record<string, string>;

/** A repository with the importing file, the imported file, and the imports of that one. */
export function importTree([, importer, refused, refusedImports]: ImportFixture): Tree {
  const leaf = 'export const thing = 1;\n';
  const imported = fileOf(refused, importer);
  const backFile = refusedImports && imported ? fileOf(refusedImports, imported) : null;
  return {
    ...(backFile ? { [backFile]: leaf } : {}),
    ...(imported ? { [imported]: refusedImports ? importOf(refusedImports) : leaf } : {}),
    [importer]: importOf(refused),
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

/** The weakest import: it couples two files too. */
function importOf(specifier: string): string {
  return `import { type thing } from '${specifier}';\nexport type Used = typeof thing;\n`;
}

/** The file that a specifier names; null for a package, which node_modules already holds. */
function fileOf(specifier: string, importer: string): string | null {
  if (specifier.startsWith('.')) return `${path.join(path.dirname(importer), specifier)}.ts`;
  const contract = /^@kinora\/contracts\/(.+)$/.exec(specifier);
  if (contract) return `libs/contracts/src/${contract[1]}.ts`;
  const aliases: Record<string, string[]> = compilerOptions.paths;
  return aliases[specifier]?.[0]?.replace('./', '') ?? null;
}
