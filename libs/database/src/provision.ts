import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { ROLE_SETTINGS } from './session-settings';

/**
 * Replaces the administrator in the address by a role.
 * @throws if the driver would connect as another user, because the context would then silently run with the administrator's
 * rights.
 */
export function toRoleUrl(adminUrl: string, role: string, password: string): string {
  // The driver accepts a user without a host, as for a socket; the WHATWG URL parser does not.
  const anonymous = adminUrl.replace(/^(\w+:\/\/)[^/?#]*@/, '$1');
  const url = parseUrl(anonymous);
  if (!url) throw refusal();
  // For the driver, the query parameters override the part before the host.
  url.searchParams.delete('user');
  url.searchParams.delete('password');
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  // Without a host, the address has no place for a user before it.
  if (url.username === '') {
    url.searchParams.set('user', role);
    url.searchParams.set('password', password);
  }
  const { user, password: secret } = new Client({ connectionString: url.toString() });
  if (user !== role || secret !== password) throw refusal();
  return url.toString();
}

/** Quotes nothing of the address, which may hold a password. */
function refusal(): Error {
  return new Error('no role can be put into this address, write it as postgresql://user:password@host:5432/database');
}

export interface ContextAccess {
  /** The context's name, for example `webhook-dispatcher`. */
  context: string;
  password: string;
}

/** PostgreSQL truncates longer names. */
const LONGEST_NAME_BYTES = 63;

export function schemaOf(context: string): string {
  return context.replaceAll('-', '_');
}

/**
 * The role that owns a schema. Roles belong to the whole server, so the name contains the database: another database may hold
 * another Kinora.
 */
export function roleOf(database: string, schema: string): string {
  const role = `kinora_${database}_${schema}`;
  if (Buffer.byteLength(role) <= LONGEST_NAME_BYTES) return role;
  return `kinora_${createHash('sha256').update(database).digest('hex').slice(0, 16)}_${schema}`;
}

/**
 * Creates a context's role and schema if they are missing, as an administrator of the database; safe to repeat. The role owns
 * its schema, and has access to no other.
 * @returns the address with which the context connects.
 */
export async function provision(adminUrl: string, access: ContextAccess): Promise<string> {
  const [url] = await provisionAll(adminUrl, [access]);
  return url as string;
}

/** As `provision`, with one connection for several contexts. @returns their addresses in the same order. */
export async function provisionAll(adminUrl: string, accesses: readonly ContextAccess[]): Promise<string[]> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Two statements that change one role at the same time fail, so an advisory lock serializes them.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', ['kinora_provision']);
    // The forty statements of all contexts wait for one flush to disk.
    await client.query('BEGIN');
    const database = await nameOfDatabase(client);
    const urls: string[] = [];
    for (const access of accesses) urls.push(await provisionIn(client, database, adminUrl, access));
    await client.query('COMMIT');
    return urls;
  } finally {
    await client.end();
  }
}

async function provisionIn(
  client: Client,
  database: string,
  adminUrl: string,
  { context, password }: ContextAccess,
): Promise<string> {
  const schema = schemaOf(context);
  const roleName = roleOf(database, schema);
  const url = toRoleUrl(adminUrl, roleName, password);
  const role = client.escapeIdentifier(roleName);
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [roleName]);
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  // An administrator who is no superuser must be a member of a role before it may transfer a schema to it.
  await client.query(`GRANT ${role} TO CURRENT_USER`);
  for (const [name, value] of Object.entries({ search_path: schema, ...ROLE_SETTINGS }))
    await client.query(
      `ALTER ROLE ${role} IN DATABASE ${client.escapeIdentifier(database)} SET ${name} = ${client.escapeLiteral(value)}`,
    );
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${role}`);
  return url;
}

async function nameOfDatabase(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  return (rows[0] as { name: string }).name;
}
