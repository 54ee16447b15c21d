import { readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The files of a folder of the repository that match, as paths from the root, in a fixed order. */
export function sourceFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => pattern.test(file))
    .sort();
}

/** Everything that the module at a path from the root exports. */
export async function exportsOf(file: string): Promise<Record<string, unknown>> {
  return (await import(path.join(ROOT, file))) as Record<string, unknown>;
}
