import type { TaskLora } from '../compute-provider.port';

/** Files of a LoRA at the server, as its loaders list them. */
export interface LoraFiles {
  file: string;
  /** For the expert for low noise; `file` goes to both where there is none. */
  low_file?: string;
}

/** The files of the task's LoRAs, in order; null for one that the server has none of. */
export function findLoraFiles(loras: TaskLora[], known: ReadonlyMap<string, LoraFiles>): (LoraFiles | null)[] {
  return loras.map(({ id, file, low_file: lowFile }) => {
    if (file !== undefined) return { file, ...(lowFile === undefined ? {} : { low_file: lowFile }) };
    return (id !== undefined && known.get(id)) || null;
  });
}
