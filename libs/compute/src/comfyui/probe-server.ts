import { type ProbeReport, ProviderUnreachable } from '../compute-provider.port';
import type { ComfyuiServer } from './comfyui-server';
import type { GraphTemplate } from './graph-template';

/** The first version that has every node of the shipped templates and stops a prompt by its id. */
const OLDEST = [0, 3, 60];

/** Whether the server can run the templates: its version, the classes of their nodes, their model files. */
export async function probeServer(
  server: ComfyuiServer,
  templates: GraphTemplate[],
  concurrency: number,
): Promise<ProbeReport> {
  try {
    const version = await server.readVersion();
    const problems = [
      ...(isOlder(version, OLDEST)
        ? [`Version ${version} is too old; ${OLDEST.join('.')} is the oldest that works.`]
        : []),
      ...(await findMissingNodes(server, templates)),
      ...(await findMissingFiles(server, templates)),
    ];
    const freeSlots = Math.max(0, concurrency - (await server.countQueued()));
    return { state: problems.length > 0 ? 'degraded' : 'up', version, freeSlots, problems };
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    return { state: 'down', problems: [error.message] };
  }
}

async function findMissingNodes(server: ComfyuiServer, templates: GraphTemplate[]): Promise<string[]> {
  const missing: string[] = [];
  for (const [nodeClass, users] of usersOf(templates, nodeClassesOf))
    if (!(await server.hasNode(nodeClass))) missing.push(`It has no node ${nodeClass}, which ${users} needs.`);
  return missing;
}

async function findMissingFiles(server: ComfyuiServer, templates: GraphTemplate[]): Promise<string[]> {
  const missing: string[] = [];
  const folders = new Map<string, Set<string>>();
  for (const [file, users] of usersOf(templates, ({ modelFiles }) => Object.entries(modelFiles).map(toFilePath))) {
    const [folder = '', name = ''] = split(file);
    const files = folders.get(folder) ?? (await server.listModels(folder));
    folders.set(folder, files);
    if (!files.has(name)) missing.push(`It has no file ${name} in models/${folder}, which ${users} needs.`);
  }
  return missing;
}

/** The needs of the templates, each with the templates that have it. */
function usersOf(templates: GraphTemplate[], needsOf: (template: GraphTemplate) => string[]): Map<string, string> {
  const users = new Map<string, string>();
  for (const template of templates)
    for (const need of new Set(needsOf(template)))
      users.set(need, users.has(need) ? `${users.get(need)}, ${template.name}` : template.name);
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
