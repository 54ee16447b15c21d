import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { toTable } from '../../deploy/build/generate/markdown-table';
import { ROOT } from '../../deploy/build/source-files';

/** The part of the chart's table of components that describes network access. */
interface Component {
  program: string;
  half?: string;
  nats?: string;
  database?: string;
  objects?: boolean;
  internet?: boolean;
  compute?: boolean;
  public?: boolean;
  clients?: boolean;
  callsGateway?: boolean;
  readsFiles?: boolean;
}

const TABLE = 'deploy/helm/kinora/templates/_components.tpl';

/** The network access of each program besides the bus, as the chart's policies allow it. */
export async function drawReach(): Promise<string> {
  const text = await readFile(path.join(ROOT, TABLE), 'utf8');
  const table = /define "kinora\.componentTable" -}}\n(?<yaml>.*?)\{\{- end/s.exec(text)?.groups?.['yaml'];
  if (table === undefined) throw new Error(`${TABLE} has no table of components.`);
  const components = Object.values(parse(table) as Record<string, Component>);
  const byProgram = new Map(components.map((component) => [nameOf(component), component]));
  const rows = [...byProgram.values()].map((it) => [
    nameOf(it),
    mark(it.nats),
    it.database === undefined ? '' : 'its own schema',
    it.readsFiles ? 'by their links' : mark(it.objects),
    mark(it.callsGateway),
    mark(it.internet),
    mark(it.compute),
    mark(it.public ?? it.clients),
  ]);
  const head = ['program', 'NATS', 'PostgreSQL', 'files', 'gateway', 'internet', 'compute', 'clients reach it'];
  return toTable(head, rows).join('\n');
}

/** The halves of one program have rows of their own, as they have policies of their own. */
function nameOf({ program, half }: Component): string {
  return half === undefined ? program : `${program}-${half}`;
}

function mark(has: unknown): string {
  return has === undefined ? '' : 'yes';
}
