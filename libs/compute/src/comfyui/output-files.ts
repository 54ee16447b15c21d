import { isRecord } from '../http/json-answer';
import { branchOfFile } from './seed-branches';

/** A file at the server, as `GET /view` wants it named. */
export interface ServerFile {
  filename: string;
  subfolder: string;
}

/**
 * The results among what the nodes of a prompt tell, in the order of their seeds: nodes are told of in the order in which they ran. Videos stand under `images` or, from custom nodes, `gifs`: so
 * each list of files counts, and what a file is, its bytes will say. Previews are files of the type `temp`.
 */
export function listResults(outputs: unknown): ServerFile[] {
  if (!isRecord(outputs)) return [];
  return Object.values(outputs)
    .flatMap((node) => (isRecord(node) ? Object.values(node) : []))
    .flatMap((files): unknown[] => (Array.isArray(files) ? files : []))
    .flatMap((file) => (isResult(file) ? [{ filename: file.filename, subfolder: file.subfolder ?? '' }] : []))
    .sort((one, other) => branchOfFile(one.filename) - branchOfFile(other.filename));
}

/** Custom nodes add a `fullpath` of the server's own disk, which is nothing to us. */
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
