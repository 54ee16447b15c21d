import { isRecord } from '../http/json-answer';
import { branchOfFile } from './seed-branches';

/** A file at the server, by the parameters of `GET /view`. */
export interface ServerFile {
  filename: string;
  subfolder: string;
}

/**
 * The results among the outputs of a prompt, in the order of their seeds; the server lists nodes in the order in which they
 * ran. Videos are listed under `images` or, by custom nodes, `gifs`, so every list of files is read, and the bytes decide the
 * type of a file. Previews have the type `temp` and are skipped.
 */
export function listResults(outputs: unknown): ServerFile[] {
  if (!isRecord(outputs)) return [];
  return Object.values(outputs)
    .flatMap((node) => (isRecord(node) ? Object.values(node) : []))
    .flatMap((files): unknown[] => (Array.isArray(files) ? files : []))
    .flatMap((file) => (isResult(file) ? [{ filename: file.filename, subfolder: file.subfolder ?? '' }] : []))
    .sort((one, other) => branchOfFile(one.filename) - branchOfFile(other.filename));
}

/** Custom nodes add a `fullpath` on the server's disk, which is not used. */
function isResult(file: unknown): file is { filename: string; subfolder?: string } {
  if (!isRecord(file)) return false;
  const { filename, subfolder, type } = file;
  return (
    typeof filename === 'string' && (subfolder === undefined || typeof subfolder === 'string') && type === 'output'
  );
}

export function toViewPath({ filename, subfolder }: ServerFile): string {
  return `/view?${new URLSearchParams({ filename, subfolder, type: 'output' }).toString()}`;
}
