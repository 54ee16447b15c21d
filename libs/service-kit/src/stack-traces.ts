import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';

/**
 * Makes stack traces show lines of TypeScript from now on. Node's own `--enable-source-maps` reads and keeps the map of every
 * loaded module, also those of all packages. That takes 10 to 15 MB a process, and stack traces are rare. Here a file's map is
 * read at its first stack trace.
 */
export function mapStacksToSource(): void {
  Error.prepareStackTrace = (error, frames) =>
    [headlineOf(error), ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n');
}

interface Frame extends NodeJS.CallSite {
  /** In the format of V8. */
  toString(): string;
}

const maps = new Map<string, SourceMap | null>();

/** An error can be constructed so that reading its name throws. */
function headlineOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

function inSource(frame: Frame): string {
  const file = frame.getFileName();
  const line = frame.getLineNumber();
  const column = frame.getColumnNumber();
  const text = frame.toString();
  if (!file || line === null || column === null) return text;
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry)) return text;
  const source = path.resolve(path.dirname(file), entry.originalSource);
  const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return text.replace(`${file}:${line}:${column}`, () => place);
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = readMap(`${file}.map`);
  maps.set(file, map);
  return map;
}

/** Packages and Node itself have no maps that are read here; their stack frames stay unchanged. */
function readMap(file: string): SourceMap | null {
  if (!path.isAbsolute(file) || file.includes(`${path.sep}node_modules${path.sep}`)) return null;
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
