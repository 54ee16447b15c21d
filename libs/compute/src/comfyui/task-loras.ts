import path from 'node:path';
import type { TaskLora } from '../compute-provider.port';

/** Files of a LoRA at the server, as its loaders list them. */
export interface LoraFiles {
  file: string;
  /** For the low-noise expert; without it, `file` is used for both experts. */
  low_file?: string;
}

/**
 * The files of the task's LoRAs, in order; null for a LoRA without a file at the server. Files that jobs has fetched are in
 * `sharedFolder`, which is the server's folder of LoRAs or a folder in it.
 */
export function findLoraFiles(
  loras: TaskLora[],
  known: ReadonlyMap<string, LoraFiles>,
  sharedFolder = '',
): (LoraFiles | null)[] {
  const nameOf = (file: string): string => path.posix.join(sharedFolder, file);
  return loras.map(({ id, file, low_file: lowFile }) => {
    if (file !== undefined)
      return { file: nameOf(file), ...(lowFile === undefined ? {} : { low_file: nameOf(lowFile) }) };
    return (id !== undefined && known.get(id)) || null;
  });
}

/** The LoRA files in the settings of an instance, by the catalog's id. @throws Error, naming the setting */
export function readLoraFiles(settings: Record<string, unknown>): Map<string, LoraFiles> {
  return new Map(
    Object.entries(settings).map(([id, files]) => {
      if (!isLoraFiles(files)) throw new Error(`loras.${id}: must be { file, low_file }, the second if there is one`);
      return [id, files];
    }),
  );
}

function isLoraFiles(value: unknown): value is LoraFiles {
  const { file, low_file: lowFile, ...others } = (value ?? {}) as Record<string, unknown>;
  const isKnown = typeof value === 'object' && Object.keys(others).length === 0;
  return isKnown && typeof file === 'string' && (lowFile === undefined || typeof lowFile === 'string');
}
