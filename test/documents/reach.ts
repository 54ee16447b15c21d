import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../deploy/build/source-files';

/** The part of the chart's table of components that describes network access. */
interface Component {
  program: string;
  nats?: string;
  database?: string;
  objects?: boolean;
  internet?: boolean;
  compute?: boolean;
  public?: boolean;
}

const TABLE = 'deploy/helm/kinora/templates/_components.tpl';

/** The network access of each program besides the bus, as the chart's policies allow it. */
export async function drawReach(): Promise<string> {
  const text = await readFile(path.join(ROOT, TABLE), 'utf8');
  const table = /define "kinora\.componentTable" -}}\n(?<yaml>.*?)\{\{- end/s.exec(text)?.groups?.['yaml'];
  if (table === undefined) throw new Error(`${TABLE} has no table of components.`);
  const components = Object.values(parse(table) as Record<string, Component>);
  const byProgram = new Map(components.map((component) => [component.program, component]));
  const rows = [...byProgram.values()].map(
    (it) =>
      `| ${it.program} | ${mark(it.nats)} | ${it.database === undefined ? '' : 'its own schema'} | ${mark(it.objects)} | ${mark(it.internet)} | ${mark(it.compute)} | ${mark(it.public)} |`,
  );
  return [
    '| program | NATS | PostgreSQL | files | internet | compute | clients reach it |',
    '| - | - | - | - | - | - | - |',
    ...rows,
  ].join('\n');
}

function mark(has: unknown): string {
  return has === undefined ? '' : 'yes';
}
