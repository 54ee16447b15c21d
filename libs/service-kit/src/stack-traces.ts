import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';

/**
 * From now on stacks tell lines of TypeScript. Node's own `--enable-source-maps` reads the map of every module when it is
 * loaded, also those of all packages, and keeps them: 10 to 15 MB a process, for stacks that hardly ever come. Here the map
 * of a file is read with the first stack that leads through it.
 */
export function mapStacksToSource(): void {
  Error.prepareStackTrace = (error, frames) =>
    [headlineOf(error), ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n');
}

interface Frame extends NodeJS.CallSite {
  /** As V8 writes it. */
  toString(): string;
}

const maps = new Map<string, SourceMap | null>();

/** An error can be made such that telling its name throws. */
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

/** Packages and Node itself have none that we would read; their stacks stay as they are. */
function readMap(file: string): SourceMap | null {
  if (!path.isAbsolute(file) || file.includes(`${path.sep}node_modules${path.sep}`)) return null;
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
