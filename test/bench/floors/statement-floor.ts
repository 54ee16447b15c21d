import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { FLOOR_ACCOUNTS, FLOOR_INPUT, FLOOR_TABLES, createStatement, getStatement } from './floor-tables';

const CREATE = createStatement({ account: '$1', key: '$2::text', id: '$3::uuid', input: '$4' });
const GET = getStatement('$1');

/** The rate of PostgreSQL for a create, and for a read by key, from one Node process through `pg`, prepared. */
export class StatementFloor {
  private readonly pool: Pool;
  private calls = 0;
  private readonly accepted: string[] = [];

  constructor(databaseUrl: string) {
    this.pool = new Pool({ connectionString: databaseUrl, max: 8 });
  }

  /** Creates the tables; other floors use them too. */
  async prepare(): Promise<void> {
    await this.pool.query(FLOOR_TABLES);
  }

  async create(): Promise<void> {
    const account = (this.calls++ % FLOOR_ACCOUNTS) + 1;
    const id = uuidv7();
    const values = [account, randomUUID(), id, FLOOR_INPUT];
    const { rowCount } = await this.pool.query({ name: 'floor_accept', text: CREATE, values });
    if (rowCount !== 1) throw new Error('The floor statement created no job.');
    this.accepted.push(id);
  }

  /** One of the jobs that were created before. */
  async get(): Promise<void> {
    const id = this.accepted[Math.floor(Math.random() * this.accepted.length)];
    const { rowCount } = await this.pool.query({ name: 'floor_get', text: GET, values: [id] });
    if (rowCount !== 1) throw new Error('The floor statement did not find a job that it had created.');
  }

  async close(): Promise<void> {
    await this.pool.query('DROP SCHEMA floor CASCADE');
    await this.pool.end();
  }
}
