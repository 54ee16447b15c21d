import { type Entities, createDataSource } from '@kinora/database';
import type { DataSource, EntityManager, EntityMetadata } from 'typeorm';

/**
 * The differences between entities and the migrated schema at an address, one sentence each. TypeORM's own difference comes
 * first. TypeORM compares a check by name only, and an index by name and columns, so this compares their definitions as
 * PostgreSQL prints them. Entities do not declare functions, triggers and storage parameters: test/schema holds those.
 */
export async function entityDrift(url: string, entities: Entities): Promise<string[]> {
  const dataSource = await createDataSource({ url, name: 'entity-drift', poolSize: 2, entities }).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const problems = upQueries.map(({ query }) => `TypeORM would run: ${query}`);
    for (const table of await tablesWithoutEntity(dataSource)) problems.push(`no entity has the table ${table}`);
    for (const entity of dataSource.entityMetadatas) problems.push(...(await definitionDrift(dataSource, entity)));
    return problems;
  } finally {
    await dataSource.destroy();
  }
}

async function tablesWithoutEntity({ manager, entityMetadatas }: DataSource): Promise<string[]> {
  const rows = await manager.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
  );
  // TypeORM creates the table of migrations itself.
  const known = new Set(['migration', ...entityMetadatas.map(({ tableName }) => tableName)]);
  return rows.map(({ name }) => name).filter((name) => !known.has(name));
}

async function definitionDrift(dataSource: DataSource, entity: EntityMetadata): Promise<string[]> {
  const inSchema = await readDefinitions(dataSource.manager, entity.tableName);
  const inEntity = new Map([...keysOf(entity), ...(await probe(dataSource, entity))]);
  const names = [...new Set([...inSchema.keys(), ...inEntity.keys()])].sort();
  return names.flatMap((name) => {
    const [ours, theirs] = [inEntity.get(name), inSchema.get(name)];
    if (ours === theirs || (theirs !== undefined && isLeftToTheMigration(entity, name))) return [];
    return [`${entity.tableName}.${name}: the entity has ${ours ?? 'none'}, the schema has ${theirs ?? 'none'}`];
  });
}

/** Decorators cannot express an index of expressions or in descending order, so an entity only names it. */
function isLeftToTheMigration({ indices }: EntityMetadata, name: string): boolean {
  return indices.some((index) => index.name === name && !index.synchronize);
}

/** Constraints, and the indexes that no constraint created, by name. */
async function readDefinitions(on: EntityManager, table: string): Promise<Map<string, string>> {
  const rows = await on.query<{ name: string; definition: string }[]>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE conrelid = to_regclass($1) AND contype IN ('p', 'u', 'f', 'c', 'x')
     UNION ALL
     SELECT relname, pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = to_regclass($1) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [`"${table}"`],
  );
  return new Map(rows.map(({ name, definition }) => [name, definition.replace(/ NOT VALID$/, '')]));
}

function keysOf(entity: EntityMetadata): [name: string, definition: string][] {
  const list = (columns: { databaseName: string }[]): string => columns.map((column) => column.databaseName).join(', ');
  const keyName = entity.connection.namingStrategy.primaryKeyName(entity.tableName, []);
  return [
    [keyName, `PRIMARY KEY (${list(entity.primaryColumns)})`],
    ...entity.uniques.map(({ name, columns }) => [name, `UNIQUE (${list(columns)})`] as [string, string]),
    ...entity.foreignKeys.map((key): [string, string] => [
      key.name,
      `FOREIGN KEY (${list(key.columns)}) REFERENCES ${key.referencedEntityMetadata.tableName}(${list(key.referencedColumns)})`,
    ]),
  ];
}

/** Checks and indexes of the entity as PostgreSQL prints them: each is created and rolled back. */
async function probe(dataSource: DataSource, entity: EntityMetadata): Promise<[name: string, definition: string][]> {
  const table = `"${entity.tableName}"`;
  const checks = entity.checks.map(
    ({ name, expression }) =>
      [name, `ALTER TABLE ${table} ADD CONSTRAINT probe CHECK (${expression}) NOT VALID`] as const,
  );
  const indexes = entity.indices
    .filter(({ synchronize }) => synchronize)
    .map(({ name, isUnique, columns, where }) => {
      const listed = columns.map((column) => `"${column.databaseName}"`).join(', ');
      const condition = where === undefined ? '' : ` WHERE ${where}`;
      return [name, `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX probe ON ${table} (${listed})${condition}`] as const;
    });
  const probed: [string, string][] = [];
  for (const [name, sql] of [...checks, ...indexes]) {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(sql);
      const made = (await readDefinitions(runner.manager, entity.tableName)).get('probe') ?? '';
      probed.push([name, made.replace(/ INDEX probe ON /, ` INDEX ${name} ON `)]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }
  return probed;
}
