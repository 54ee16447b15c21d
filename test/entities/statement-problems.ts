import { ALL_MONTHS, withinMonths } from '@kinora/database';
import { Client } from 'pg';

interface NamedSql {
  name: string;
  text: string;
}

/**
 * Statements that PostgreSQL cannot prepare on the schema at an address, one sentence each: a table, column or function does
 * not exist, or a type does not match.
 */
export async function statementProblems(url: string, statements: NamedSql[]): Promise<string[]> {
  const problems = await prepareAll(url, statements);
  return problems.flatMap(({ name, problem }) =>
    problem === null ? [] : [`the statement ${name} does not fit the schema: ${problem}`],
  );
}

/** The statements that cannot be prepared. */
export async function unfitFor(url: string, statements: NamedSql[]): Promise<NamedSql[]> {
  const tried = await prepareAll(url, statements);
  return tried.filter(({ problem }) => problem !== null);
}

async function prepareAll(url: string, statements: NamedSql[]): Promise<(NamedSql & { problem: string | null })[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tried: (NamedSql & { problem: string | null })[] = [];
    for (const statement of statements)
      tried.push({ ...statement, problem: await problemOf(client, withinMonths(statement, ALL_MONTHS).text) });
    return tried;
  } finally {
    await client.end();
  }
}

async function problemOf(client: Client, text: string): Promise<string | null> {
  try {
    await client.query(`PREPARE probe AS ${text}`);
    await client.query('DEALLOCATE probe');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
