import { declaredStatements } from './declared-statements';
import { migrate, provision } from '@kinora/database';
import { startTestServers } from '../support/test-servers';
import { type ContextSchema, contextSchemas } from './context-entities';
import { entityDrift } from './entity-drift';
import { shardProblems } from './shard-problems';
import { statementProblems, unfitFor } from './statement-problems';

/** Where entities, statements, the migrated schema and the page on shards disagree, one sentence each. */
export async function entityProblems(): Promise<string[]> {
  const problems: string[] = [];
  const servers = await startTestServers();
  try {
    // Not every context has an outbox or an inbox: a shared statement must fit one of them.
    let unfit = await declaredStatements('libs/database/src');
    for (const schema of await contextSchemas()) {
      const url = await migrateEmptySchema(servers.databaseUrl, schema);
      const drift = await entityDrift(url, schema.entities);
      const statements = await declaredStatements(`apps/${schema.context}/src`);
      const ill = [...(await statementProblems(url, statements)), ...shardProblems(schema, statements)];
      problems.push(...[...drift, ...ill].map((problem) => `${schema.context}: ${problem}`));
      unfit = await unfitFor(url, unfit);
    }
    return [...problems, ...unfit.map(({ name }) => `the statement ${name} of libs/database fits no context's schema`)];
  } finally {
    await servers.stop();
  }
}

async function migrateEmptySchema(adminUrl: string, { context, migrations }: ContextSchema): Promise<string> {
  const url = await provision(adminUrl, { context, password: 'entities' });
  await migrate(url, context, migrations);
  return url;
}
