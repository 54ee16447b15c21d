import type { LoraFiles } from './task-loras';

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
