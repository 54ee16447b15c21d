import path from 'node:path';
import { type ProbeReport, ProviderUnreachable } from '../compute-provider.port';
import type { ComfyuiServer } from './comfyui-server';
import type { GraphTemplate } from './graph-template';
import type { LoraFiles } from './task-loras';

/** The first version that has every node of the shipped templates and stops a prompt by its id. */
const OLDEST = [0, 3, 60];
const LORA_FOLDER = 'loras';

export interface ServerNeeds {
  templates: GraphTemplate[];
  /** The files of LoRAs in the settings of the instance, by the catalog's id. */
  loras: ReadonlyMap<string, LoraFiles>;
  concurrency: number;
}

/** A problem, and the templates that cannot run because of it. */
interface Lack {
  text: string;
  templates: string[];
}

/** Whether the server has what the instance needs: its version, the classes of the templates' nodes, the files. */
export async function probeServer(server: ComfyuiServer, needs: ServerNeeds): Promise<ProbeReport> {
  try {
    const version = await server.readVersion();
    const lacks = [
      ...(await findMissingNodes(server, needs.templates)),
      ...(await findMissingFiles(server, needs.templates)),
    ];
    const problems = [
      ...(isOlder(version, OLDEST)
        ? [`Version ${version} is too old; ${OLDEST.join('.')} is the oldest that works.`]
        : []),
      ...lacks.map(({ text, templates }) => `${text}, which ${templates.join(', ')} needs.`),
      ...(await findMissingLoras(server, needs.loras)),
    ];
    const freeSlots = Math.max(0, needs.concurrency - (await server.countQueued()));
    const templateProblems = problemsByTemplate(lacks);
    return { state: problems.length > 0 ? 'degraded' : 'up', version, freeSlots, problems, templateProblems };
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    return { state: 'down', problems: [error.message] };
  }
}

async function findMissingNodes(server: ComfyuiServer, templates: GraphTemplate[]): Promise<Lack[]> {
  const lacks: Lack[] = [];
  for (const [nodeClass, users] of usersOf(templates, nodeClassesOf)) {
    const node = await server.readNode(nodeClass);
    const savers = templates.filter(({ graph, outputNode }) => graph[outputNode]?.class_type === nodeClass);
    if (!node) lacks.push({ text: `It has no node ${nodeClass}`, templates: users });
    else if (!node.isOutput && savers.length > 0) {
      const text = `Its node ${nodeClass} saves nothing, but is the output_node`;
      lacks.push({ text, templates: savers.map(({ name }) => name) });
    }
  }
  return lacks;
}

async function findMissingFiles(server: ComfyuiServer, templates: GraphTemplate[]): Promise<Lack[]> {
  const lacks: Lack[] = [];
  const folders = new Map<string, Set<string>>();
  for (const [file, users] of usersOf(templates, ({ modelFiles }) => Object.entries(modelFiles).map(toFilePath))) {
    const [folder = '', name = ''] = split(file);
    const files = folders.get(folder) ?? (await server.listModels(folder));
    folders.set(folder, files);
    if (!files.has(name)) lacks.push({ text: `It has no file ${name} in models/${folder}`, templates: users });
  }
  return lacks;
}

async function findMissingLoras(server: ComfyuiServer, loras: ServerNeeds['loras']): Promise<string[]> {
  if (loras.size === 0) return [];
  const known = await server.listModels(LORA_FOLDER);
  return [...loras].flatMap(([id, { file, low_file: lowFile = file }]) =>
    [...new Set([file, lowFile])]
      .filter((name) => !known.has(name))
      .map((name) => `It has no file ${name} in models/${LORA_FOLDER}, which loras.${id} of providers.yaml names.`),
  );
}

/**
 * Whether the server sees a file of the folder that it shares with jobs under its expected name: null, or the problem.
 * @throws ProviderUnreachable
 */
export async function findSharedFileProblem(
  server: ComfyuiServer,
  file: string,
  sharedFolder: string,
): Promise<string | null> {
  const known = await server.listModels(LORA_FOLDER);
  if (known.has(path.posix.join(sharedFolder, file))) return null;
  const other = [...known].find((name) => path.posix.basename(name) === file);
  const wrong =
    sharedFolder === ''
      ? 'It does not see the files of shared_lora_dir directly in its folder of LoRAs'
      : `It does not see the files of shared_lora_dir in ${sharedFolder}, the shared_lora_subfolder of its folder of LoRAs`;
  if (other === undefined) return `${wrong}.`;
  const right = path.posix.dirname(other);
  return right === '.'
    ? `${wrong}: shared_lora_subfolder must be left out.`
    : `${wrong}: shared_lora_subfolder must be ${right}.`;
}

function problemsByTemplate(lacks: Lack[]): ReadonlyMap<string, string[]> {
  const names = new Set(lacks.flatMap(({ templates }) => templates));
  const of = (name: string): string[] =>
    lacks.filter(({ templates }) => templates.includes(name)).map(({ text }) => text);
  return new Map([...names].map((name) => [name, of(name)]));
}

function usersOf(templates: GraphTemplate[], needsOf: (template: GraphTemplate) => string[]): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const template of templates)
    for (const need of new Set(needsOf(template))) users.set(need, [...(users.get(need) ?? []), template.name]);
  return users;
}

function nodeClassesOf({ graph, loraChains }: GraphTemplate): string[] {
  return [
    ...Object.values(graph).map(({ class_type: nodeClass }) => nodeClass),
    ...loraChains.map(({ loader }) => loader),
  ];
}

function toFilePath([file, folder]: [string, string]): string {
  return `${folder}/${file}`;
}

/** Model folders are one level deep; a file may be in a subfolder. */
function split(filePath: string): [folder: string, name: string] {
  const end = filePath.indexOf('/');
  return [filePath.slice(0, end), filePath.slice(end + 1)];
}

function isOlder(version: string, than: number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const differing = than.findIndex((part, index) => part !== parts[index]);
  return differing >= 0 && (parts[differing] ?? 0) < (than[differing] ?? 0);
}
