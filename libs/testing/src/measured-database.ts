import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import {
  createDataSource,
  Database,
  type Entities,
  labelOf,
  type Migration,
  type Months,
  type Statement,
  Transaction,
} from '@kinora/database';
import { createTestDatabase, type TestDatabase } from './test-database';

type Scalar = string | number | boolean | Date | Buffer | null | undefined;

/** Values as literals for EXECUTE, which accepts no parameters. */
export function toExecuteArguments(values: unknown[]): string {
  return values.length === 0 ? '' : `(${values.map(toLiteral).join(', ')})`;
}

function toLiteral(value: unknown): string {
  const text = Array.isArray(value) ? `{${value.map(toElement).join(',')}}` : toText(value as Scalar);
  return text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
}

function toElement(value: Scalar): string {
  const text = toText(value);
  return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function toText(value: Scalar): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The cost of one run of a statement, in numbers that do not depend on the load of the machine. */
export interface StatementCost {
  name: string;
  pages: number;
  /** Number of rows read, with the filtered ones. */
  rows: number;
  /** The fastest of the runs. */
  ms: number;
  planningMs: number;
  /** Tables with a sequential scan. */
  scanned: string[];
  /** Number of partitions that were read, of the table with most of them. */
  partitions: number;
  /** The same of its plan: each takes time to plan, and is locked at every run. */
  planned: number;
}

export interface CostLimits {
  most: number;
  /** Limits by statement name, for statements that need more, each with a reason. */
  mostOf: Record<string, number>;
  /** What is counted; the pages by default. */
  count?: (cost: StatementCost) => number;
  /** Statements that may read every partition, each with a reason. The others read two at most: a month may end in between. */
  acrossPartitions?: readonly string[];
  /** How many partitions a plan may hold. */
  mostPlanned?: number;
  /** Statements whose plans may hold every partition, each with a reason. */
  plannedForAll?: readonly string[];
  /** The tables, if any, that may be read by a sequential scan. */
  readWhole?: readonly string[];
}

const PARTITIONS_MAX = 2;
/** The names that `PartitionedTable` and the migrations before it give. */
const PARTITION = /_(?:first|\d{6,})$/;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  /** Partitions of an Append that its first values have excluded. */
  'Subplans Removed'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

interface Explained {
  Plan: PlanNode;
  'Planning Time': number;
  'Execution Time': number;
}

/** A context's database for one spec, which explains each statement before it runs it. */
export class MeasuredDatabase extends Database {
  readonly costs: StatementCost[] = [];
  /** How often each statement is explained. */
  runs = 1;

  private constructor(
    private readonly test: TestDatabase,
    dataSource: DataSource,
  ) {
    super(dataSource);
  }

  /** A database that is filled before anything is measured. */
  static async create(
    context: string,
    migrations: Migration[],
    fill: (test: TestDatabase) => Promise<void>,
    entities: Entities = [],
  ): Promise<MeasuredDatabase> {
    const test = await createTestDatabase(context, migrations);
    try {
      await fill(test);
      const dataSource = createDataSource({ url: test.url, name: 'measured', poolSize: 4, entities });
      return new MeasuredDatabase(test, await dataSource.initialize());
    } catch (error) {
      await test.close();
      throw error;
    }
  }

  /** The same database, whose statements only run. */
  get plain(): Database {
    return this.test.database;
  }

  /** The statements that read a whole table, or exceed their limits. */
  costlierThan({ most, mostOf, count = ({ pages }) => pages, ...allowed }: CostLimits): StatementCost[] {
    const { readWhole = [], acrossPartitions = [], plannedForAll = [], mostPlanned = Infinity } = allowed;
    return this.costs.filter(
      (cost) =>
        cost.scanned.some((table) => !readWhole.includes(table)) ||
        count(cost) > (mostOf[cost.name] ?? most) ||
        (cost.partitions > PARTITIONS_MAX && !acrossPartitions.includes(cost.name)) ||
        (cost.planned > mostPlanned && !plannedForAll.includes(cost.name)),
    );
  }

  /** The names of the list under which no statement ran. */
  unmeasured(names: string[]): string[] {
    const measured = new Set(this.costs.map(({ name }) => name));
    return names.filter((name) => !measured.has(name));
  }

  async costsOf(work: () => Promise<unknown>): Promise<StatementCost[]> {
    const before = this.costs.length;
    await work();
    return this.costs.slice(before);
  }

  override run<Row extends QueryResultRow>(requested: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    return this.transaction((transaction) => transaction.run<Row>(requested, values));
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.test.close();
  }

  protected override begun(client: PoolClient): Transaction {
    return new MeasuredTransaction(client, this.dataSource, this.openMonths, this);
  }
}

class MeasuredTransaction extends Transaction {
  constructor(
    private readonly explained: PoolClient,
    dataSource: DataSource,
    openMonths: Months,
    private readonly measured: MeasuredDatabase,
  ) {
    super(explained, dataSource, { isPrepared: true, openMonths });
  }

  override async run<Row extends QueryResultRow>(requested: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    const runs: Explained[] = [];
    for (let run = 0; run < this.measured.runs; run++) {
      // A connection keeps the plan of a statement with a name.
      if (run === 0 || requested.name === '') await this.explained.query(`PREPARE measured AS ${requested.text}`);
      runs.push(await this.explain(labelOf(requested), values));
      if (requested.name === '') await this.explained.query('DEALLOCATE measured');
    }
    if (requested.name !== '') await this.explained.query('DEALLOCATE measured');
    this.measured.costs.push(costOf(labelOf(requested), runs));
    return await super.run<Row>(requested, values);
  }

  /** EXPLAIN ANALYZE executes the statement, so its changes are rolled back before the actual run. */
  private async explain(name: string, values: unknown[]): Promise<Explained> {
    await this.explained.query('SAVEPOINT measured');
    // Prepared, as in the actual run: with the generic plan, and not with one for these values.
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured${toExecuteArguments(values)}`;
    const { rows } = await this.explained.query<{ 'QUERY PLAN': [Explained] }>(explain);
    await this.explained.query('ROLLBACK TO SAVEPOINT measured');
    const explained = rows[0]?.['QUERY PLAN'][0];
    if (!explained) throw new Error(`${name} was not explained.`);
    return explained;
  }
}

/** Times are those of the fastest run, pages and rows those of the last one, which finds its catalogs in memory. */
function costOf(name: string, runs: Explained[]): StatementCost {
  const plan = runs[runs.length - 1]!.Plan;
  const nodes = nodesOf(plan);
  return {
    name,
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
    ms: Math.min(...runs.map((run) => run['Execution Time'])),
    planningMs: Math.min(...runs.map((run) => run['Planning Time'])),
    partitions: partitionsOf(nodes.filter((node) => node['Actual Loops'] > 0)),
    planned: partitionsOf(nodes) + Math.max(0, ...nodes.map((node) => node['Subplans Removed'] ?? 0)),
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
  };
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Of the table with most of them. */
function partitionsOf(nodes: PlanNode[]): number {
  const names = new Set(nodes.flatMap((node) => node['Relation Name'] ?? []));
  const tables = [...names].filter((name) => PARTITION.test(name)).map((name) => name.replace(PARTITION, ''));
  return Math.max(0, ...tables.map((table) => tables.filter((other) => other === table).length));
}

/** Rows are counted where a table is read, not again in the plan nodes above. */
function rowsOf(node: PlanNode): number {
  if (node['Relation Name'] === undefined || !node['Node Type'].includes('Scan')) return 0;
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/** The literal names that the shipped code below a folder gives to statements, its own and those of TypeORM. */
export function statementNames(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/\.(spec|fixtures)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join(folder, file), 'utf8').matchAll(/\b(?:statement\(\s*(?=')|comment: )['`](\w+)['`$]/g),
    ])
    .map(([, name]) => name ?? '')
    .sort();
}

export function pagesOf(costs: StatementCost[]): number {
  return costs.reduce((sum, { pages }) => sum + pages, 0);
}
