import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The literal names that the shipped code below a folder gives to statements, its own and those of TypeORM. */
export function statementNames(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/\.(spec|fixtures)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join(folder, file), 'utf8').matchAll(/\b(?:statement\(\s*|comment: )'(\w+)'/g),
    ])
    .map(([, name]) => name ?? '')
    .sort();
}
