import {
  Database,
  type Entities,
  type Migration,
  type Statement,
  Transaction,
  createDataSource,
  labelOf,
} from '@kinora/database';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { toExecuteArguments } from './execute-arguments';
import { type TestDatabase, createTestDatabase } from './test-database';

/** What one run of a statement has taken: numbers that do not depend on how busy the machine is. */
export interface StatementCost {
  name: string;
  /** Pages that were looked at. */
  pages: number;
  /** Rows that were looked at, whether they were taken or not. */
  rows: number;
  /** Tables that were read from one end to the other. */
  scanned: string[];
}

/** How much a run may look at. */
export interface CostLimits {
  most: number;
  /** By name, of statements that have more to look at, and a reason. */
  mostOf: Record<string, number>;
  /** What is counted, where that is not the pages alone. */
  count?: (cost: StatementCost) => number;
  /** The table, if any, that is there to be read from one end to the other. */
  readWhole?: string;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** A context's database, for a spec of its own, that explains each statement before it runs it. */
export class MeasuredDatabase extends Database {
  readonly costs: StatementCost[] = [];

  private constructor(
    private readonly test: TestDatabase,
    dataSource: DataSource,
  ) {
    super(dataSource);
  }

  /** One that is filled before anything is measured. */
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

  /** What has read a whole table, or more than it may. */
  costlierThan({ most, mostOf, count = ({ pages }) => pages, readWhole }: CostLimits): StatementCost[] {
    return this.costs.filter(
      (cost) => cost.scanned.some((table) => table !== readWhole) || count(cost) > (mostOf[cost.name] ?? most),
    );
  }

  /** Those of the names under which nothing was asked. */
  unmeasured(names: string[]): string[] {
    const measured = new Set(this.costs.map(({ name }) => name));
    return names.filter((name) => !measured.has(name));
  }

  /** What the work has asked for. */
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
    return new MeasuredTransaction(client, this.dataSource, this.costs);
  }
}

class MeasuredTransaction extends Transaction {
  constructor(
    private readonly explained: PoolClient,
    dataSource: DataSource,
    private readonly costs: StatementCost[],
  ) {
    super(explained, dataSource);
  }

  override async run<Row extends QueryResultRow>(requested: Statement, values: unknown[]): Promise<QueryResult<Row>> {
    await this.measure(requested, values);
    return await super.run<Row>(requested, values);
  }

  /** Explaining runs it: what that has changed is undone before it runs in earnest. */
  private async measure(requested: Statement, values: unknown[]): Promise<void> {
    // Prepared, as it runs in earnest: with the plan for any values, and not with one for these.
    await this.explained.query(`PREPARE measured AS ${requested.text}`);
    await this.explained.query('SAVEPOINT measured');
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured${toExecuteArguments(values)}`;
    const { rows } = await this.explained.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
    await this.explained.query('ROLLBACK TO SAVEPOINT measured');
    await this.explained.query('DEALLOCATE measured');
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (!plan) throw new Error(`${labelOf(requested)} was not explained.`);
    const nodes = nodesOf(plan);
    this.costs.push({
      name: labelOf(requested),
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
      scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    });
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Of a table's rows: what nodes above hand on is counted where it was read. */
function rowsOf(node: PlanNode): number {
  if (node['Relation Name'] === undefined || !node['Node Type'].includes('Scan')) return 0;
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
