import { Client } from 'pg';

export interface ContextAccess {
  /** The context's name, for example `webhook-dispatcher`. */
  context: string;
  /** The password that its role gets. */
  password: string;
}

/** The schema that a context owns. */
export function schemaOf(context: string): string {
  return context.replaceAll('-', '_');
}

/**
 * Makes a context's role and schema where they are missing, as an administrator of the database; safe to repeat.
 * The role owns its schema, and sees no other.
 * @returns the address under which the context connects.
 */
export async function provision(adminUrl: string, { context, password }: ContextAccess): Promise<string> {
  const schema = schemaOf(context);
  const role = `kinora_${schema}`;
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Roles belong to the whole server, and two statements that change one at once fail: take turns.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', ['kinora_provision']);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
    await client.query(`${verb} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    // An administrator who is no superuser must be a member of a role before it may hand a schema to it.
    await client.query(`GRANT ${role} TO CURRENT_USER`);
    await client.query(`ALTER ROLE ${role} SET search_path = ${schema}`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${role}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.toString();
}
