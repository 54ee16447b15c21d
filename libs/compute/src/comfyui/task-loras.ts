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
