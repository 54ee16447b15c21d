import { readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The matching files of a folder of the repository, as sorted paths from the root. */
export function sourceFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => pattern.test(file))
    .sort();
}

/** All exports of the module at a path from the root. */
export async function exportsOf(file: string): Promise<Record<string, unknown>> {
  return (await import(path.join(ROOT, file))) as Record<string, unknown>;
}
