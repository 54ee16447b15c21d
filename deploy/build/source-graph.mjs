// The import graph of source files, read from the text of their imports, and hashes of the files.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['apps', 'libs', 'deploy', 'test', 'docs'];
const TOP_LEVEL = ['README.md', '.env.example', 'oxlint.config.mjs', 'nest-cli.json', 'package.json', 'tsconfig.json'];
const PROGRAM = /\.(tsx?|mjs|cjs|js)$/;
const IMPORTED = /(?:\bfrom|\bimport|\brequire(?:\.resolve)?)\s*\(?\s*['"]([^'"\n]+)['"]/g;

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

export class SourceGraph {
  contents = new Map();
  imports = new Map();
  hashes = new Map();

  constructor(root) {
    this.root = root;
    const { compilerOptions } = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8'));
    this.aliases = Object.entries(compilerOptions.paths ?? {}).map(([alias, [target]]) => [
      alias.replace('*', ''),
      target.replace('./', '').replace('*', ''),
    ]);
    this.files = FOLDERS.flatMap((folder) => this.list(folder)).concat(TOP_LEVEL.filter((file) => this.exists(file)));
  }

  /** The matching files with their direct and indirect imports. */
  closure(pattern) {
    return this.reach(this.files.filter((file) => pattern.test(file)));
  }

  reach(files, next = (file) => this.importsOf(file)) {
    const reached = new Set();
    const pending = [...files];
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      pending.push(...next(file));
    }
    return reached;
  }

  /** These files and all their direct and indirect importers: the files that a change can break. */
  dependentsOf(files) {
    const importers = new Map();
    for (const file of this.files) {
      for (const imported of this.importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
    return this.reach(files, (file) => importers.get(file) ?? []);
  }

  importsOf(file) {
    if (!PROGRAM.test(file)) return [];
    if (!this.imports.has(file)) {
      const resolved = this.specifiersOf(file).flatMap((specifier) => this.resolve(file, specifier) ?? []);
      this.imports.set(file, [...new Set(resolved)]);
    }
    return this.imports.get(file);
  }

  specifiersOf(file) {
    return [...this.read(file).matchAll(IMPORTED)].map(([, specifier]) => specifier);
  }

  read(file) {
    if (!this.contents.has(file)) this.contents.set(file, readFileSync(path.join(this.root, file), 'utf8'));
    return this.contents.get(file);
  }

  hash(file) {
    if (!this.hashes.has(file)) this.hashes.set(file, sha256(this.read(file)));
    return this.hashes.get(file);
  }

  /** The file of an import specifier; null for a package. */
  resolve(importer, specifier) {
    const alias = this.aliases.find(([name]) => (name.endsWith('/') ? specifier.startsWith(name) : specifier === name));
    const base = specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(importer), specifier)
      : alias && specifier.replace(alias[0], alias[1]);
    if (!base) return null;
    return (
      ['', '.ts', '.tsx', '.d.ts', '/index.ts']
        .map((end) => base + end)
        .find((file) => PROGRAM.test(file) && this.exists(file)) ?? null
    );
  }

  exists(file) {
    return existsSync(path.join(this.root, file));
  }

  list(folder) {
    if (!this.exists(folder)) return [];
    return readdirSync(path.join(this.root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => path.relative(this.root, path.join(entry.parentPath, entry.name)));
  }
}
