import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
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
  return [...byProgram.values()].map((it) => `- ${nameOf(it)}: ${reachOf(it).join(', ') || 'nothing'}`).join('\n');
}

function reachOf(it: Component): string[] {
  const reached: [unknown, string][] = [
    [it.nats, 'NATS'],
    [it.database, 'its own schema'],
    [it.readsFiles ? undefined : it.objects, 'files'],
    [it.readsFiles, 'files by their links'],
    [it.callsGateway, 'the gateway'],
    [it.internet, 'the internet'],
    [it.compute, 'compute'],
  ];
  const names = reached.flatMap(([has, name]) => (has === undefined ? [] : [name]));
  return (it.public ?? it.clients) === undefined ? names : [...names, 'and clients reach it'];
}

/** The halves of one program have rows of their own, as they have policies of their own. */
function nameOf({ program, half }: Component): string {
  return half === undefined ? program : `${program}-${half}`;
}
