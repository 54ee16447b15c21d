import path from 'node:path';
import { type Entities, InboxEntity, type Migration, OutboxEntity, PartitionLeaseEntity } from '@kinora/database';
import { getMetadataArgsStorage } from 'typeorm';
import { exportsOf, sourceFiles } from '../../deploy/build/source-files';

export interface ContextSchema {
  context: string;
  migrations: Migration[];
  entities: Entities;
}

/** Contexts with the tables of @kinora/database. */
const WITH_INBOX = ['billing'];
const WITH_OUTBOX = ['jobs', 'moderation'];
const WITH_PARTITIONS = ['billing', 'jobs', 'moderation', 'webhook-dispatcher'];

/** Every context that has a schema, with the entities of all its folders. */
export async function contextSchemas(): Promise<ContextSchema[]> {
  const programs = sourceFiles('apps', /\/src\/migrate\.ts$/);
  return Promise.all(programs.map((program) => contextSchema(path.basename(path.resolve(program, '../..')))));
}

export function tablesOf({ entities }: ContextSchema): string[] {
  const own = new Set<unknown>(entities);
  return getMetadataArgsStorage().tables.flatMap(({ target, name }) => (own.has(target) && name ? [name] : []));
}

async function contextSchema(context: string): Promise<ContextSchema> {
  const source = `apps/${context}/src`;
  const { migrations } = (await exportsOf(`${source}/migrations/migrations.ts`)) as { migrations: Migration[] };
  const files = await Promise.all(sourceFiles(source, /\.entity\.ts$/).map(exportsOf));
  const own = files.flatMap((exported) => Object.values(exported)) as Entities;
  const shared = [
    ...(WITH_INBOX.includes(context) ? [InboxEntity] : []),
    ...(WITH_OUTBOX.includes(context) ? [OutboxEntity] : []),
    ...(WITH_PARTITIONS.includes(context) ? [PartitionLeaseEntity] : []),
  ];
  return { context, migrations, entities: [...own, ...shared] };
}
