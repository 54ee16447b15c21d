import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The content of generated files, by path in the repository. They are committed, so that each change is reviewed. */
export type GeneratedFiles = Record<string, string>;

/** The files of a checkout that differ or are missing. */
export async function staleFiles(generated: GeneratedFiles, checkout: string): Promise<string[]> {
  const stale = await Promise.all(
    Object.entries(generated).map(async ([file, text]) => {
      const kept = await readFile(path.join(checkout, file), 'utf8').catch(() => null);
      return kept === text ? [] : [file];
    }),
  );
  return stale.flat();
}

export async function writeFiles(generated: GeneratedFiles, checkout: string): Promise<void> {
  for (const [file, text] of Object.entries(generated)) {
    await mkdir(path.dirname(path.join(checkout, file)), { recursive: true });
    await writeFile(path.join(checkout, file), text);
  }
}
