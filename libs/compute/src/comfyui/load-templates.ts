import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit';
import { nearestNames } from '../assert-routes';
import type { GraphTemplate } from './graph-template';
import { parseTemplate } from './parse-template';

export const SHIPPED_TEMPLATES_DIR = path.join(__dirname, '../../assets/comfyui');

const MAP_SUFFIX = '.params.json';
/** A graph of a few hundred nodes has a few hundred kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads every `<name>.params.json` of a folder with its graph, `<name>.json` unless the map names another file.
 * @throws Error that names the file and the first error in it.
 */
export function loadTemplates(folder: string): Map<string, GraphTemplate> {
  const files = readFolder(folder).sort();
  const maps = files.filter((file) => file.endsWith(MAP_SUFFIX)).map((file) => readMap(folder, file));
  assertMapped(folder, files, maps);
  return new Map(maps.map((map) => [map.name, loadTemplate(folder, map)]));
}

/** A parsed map, with the file of its graph. */
interface TemplateMap {
  name: string;
  content: unknown;
  workflow: string;
}

function readMap(folder: string, file: string): TemplateMap {
  const name = file.slice(0, -MAP_SUFFIX.length);
  const content = readJson(path.join(folder, file));
  const { workflow = `${name}.json` } = (content ?? {}) as { workflow?: unknown };
  if (typeof workflow !== 'string' || path.basename(workflow) !== workflow)
    throw new Error(`${path.join(folder, file)}: params.workflow: must name a file beside this one`);
  return { name, content, workflow };
}

/** A graph without a map is refused: if it were ignored, every route to it would fail later. */
function assertMapped(folder: string, files: string[], maps: TemplateMap[]): void {
  const graphs = new Set(maps.map(({ workflow }) => workflow));
  const lone = files.find((file) => file.endsWith('.json') && !file.endsWith(MAP_SUFFIX) && !graphs.has(file));
  if (lone === undefined) return;
  const wanted = lone.slice(0, -'.json'.length) + MAP_SUFFIX;
  throw new Error(`${path.join(folder, lone)}: has no ${wanted} beside it, which says where the parts of a job go`);
}

function loadTemplate(folder: string, { name, content: map, workflow }: TemplateMap): GraphTemplate {
  const mapFile = path.join(folder, name + MAP_SUFFIX);
  const graph = readJson(path.join(folder, workflow));
  try {
    return parseTemplate(name, graph, map);
  } catch (error) {
    const { message } = error as Error;
    const file = message.startsWith('params') ? mapFile : path.join(folder, workflow);
    throw new Error(`${file}:${lineOf(file, message)}: ${message}`, { cause: error });
  }
}

/** The line of the field that a message begins with: `params.loras.kind: …` in a map, `3.model: …` in a graph. */
function lineOf(file: string, message: string): number {
  const [field = ''] = message.split(': ', 1);
  const [first = '', ...rest] = field.split('.');
  // A graph's inputs are named without the key that holds them.
  const inGraph =
    rest.length > 0 && !['class_type', 'inputs', '_meta'].includes(rest[0] ?? '') ? [first, 'inputs'] : [first];
  return OperatorDocument.parse(file, readText(file)).lineOf([...(first === 'params' ? [] : inGraph), ...rest]);
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
  const text = readText(file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // Without a position, the text ends too early.
    const [, position = text.trimEnd().length] = /position (\d+)/.exec(String(error)) ?? [];
    const line = text.slice(0, Number(position)).split('\n').length;
    throw new Error(`${file}:${line}: is not valid JSON`, { cause: error });
  }
}

function readText(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: cannot be read`, { cause: error });
  }
  if (text.length > MAX_BYTES) throw new Error(`${file}: is larger than ${MAX_BYTES} bytes`);
  return text;
}

/**
 * The templates of an instance. An operator's template replaces the shipped one of the same name.
 * @throws Error, naming the setting, for a template that does not exist.
 */
export function pickTemplates(names: string[] | undefined, templatesDir: string | null): Map<string, GraphTemplate> {
  const all = new Map([...loadTemplates(SHIPPED_TEMPLATES_DIR), ...loadOwnTemplates(templatesDir)]);
  if (!names) return all;
  return new Map(
    names.map((name) => {
      const template = all.get(name);
      if (!template)
        throw new Error(`templates: there is no template ${name}; there are ${nearestNames(name, all.keys())}`);
      return [name, template];
    }),
  );
}

/** The operator's templates, in the folder `comfyui` or directly in the templates folder. */
export function loadOwnTemplates(templatesDir: string | null): Map<string, GraphTemplate> {
  if (templatesDir === null) return new Map();
  return new Map([...loadTemplates(templatesDir), ...loadTemplates(path.join(templatesDir, 'comfyui'))]);
}
