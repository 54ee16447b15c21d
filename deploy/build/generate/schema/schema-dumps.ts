import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { provision, schemaOf } from '@kinora/database';
import { Client } from 'pg';
import type { GeneratedFiles } from '../generated-files';
import { ROOT, sourceFiles } from '../../source-files';
import { startTestServers } from '../../../../test/support/test-servers';
import { describeSchema } from './describe-schema';

const HEADER = '-- What the migrations make of an empty schema: written by `npm run generate`, never edited.\n\n';

/** The schema definition of each context, after its own migrate program has run on an empty database. */
export async function schemaDumps(): Promise<GeneratedFiles> {
  // `npm run generate` has no running server, so it starts one.
  const servers = await startTestServers();
  const client = new Client({ connectionString: servers.databaseUrl });
  try {
    await client.connect();
    const dumps: GeneratedFiles = {};
    for (const program of sourceFiles('apps', /\/src\/migrate\.ts$/)) {
      const context = path.basename(path.resolve(program, '../..'));
      await migrateEmptySchema(servers.databaseUrl, context, program);
      dumps[`test/schema/${context}.sql`] = HEADER + (await describeSchema(client, schemaOf(context)));
    }
    return dumps;
  } finally {
    await client.end();
    await servers.stop();
  }
}

async function migrateEmptySchema(adminUrl: string, context: string, program: string): Promise<void> {
  const url = await provision(adminUrl, { context, password: randomUUID() });
  await promisify(execFile)(process.execPath, ['-r', './test/typescript.cjs', program], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url },
  });
}
