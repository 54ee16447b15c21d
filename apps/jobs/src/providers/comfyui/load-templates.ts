import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { GraphTemplate } from './graph-template';
import { parseTemplate } from './parse-template';

/** The templates that come with this service. */
export const SHIPPED_TEMPLATES_DIR = path.join(__dirname, '../../../assets/comfyui');

const MAP_SUFFIX = '.params.json';
/** A graph of a few hundred nodes has some hundred kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads every `<name>.params.json` of a folder with its graph, `<name>.json` unless the map names another file.
 * @throws Error that names the file and the first thing wrong in it.
 */
export function loadTemplates(folder: string): Map<string, GraphTemplate> {
  const maps = readFolder(folder).filter((file) => file.endsWith(MAP_SUFFIX));
  return new Map(
    maps.sort().map((file) => {
      const name = file.slice(0, -MAP_SUFFIX.length);
      return [name, loadTemplate(folder, name)];
    }),
  );
}

function loadTemplate(folder: string, name: string): GraphTemplate {
  const mapFile = path.join(folder, name + MAP_SUFFIX);
  const map = readJson(mapFile);
  const { workflow = `${name}.json` } = (map ?? {}) as { workflow?: unknown };
  if (typeof workflow !== 'string' || path.basename(workflow) !== workflow)
    throw new Error(`${mapFile}: params.workflow: must name a file beside this one`);
  const graph = readJson(path.join(folder, workflow));
  try {
    return parseTemplate(name, graph, map);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message.startsWith('params') ? mapFile : path.join(folder, workflow)}: ${message}`, {
      cause: error,
    });
  }
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${folder}: cannot be read`, { cause: error });
  }
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: cannot be read`, { cause: error });
  }
  if (text.length > MAX_BYTES) throw new Error(`${file}: is larger than ${MAX_BYTES} bytes`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${file}: is no JSON`, { cause: error });
  }
}
