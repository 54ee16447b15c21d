import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@kinora/testing';
import { Client } from 'pg';
import { migrations } from '../../apps/billing/src/migrations/migrations';
import { RUNBOOK } from '../../deploy/build/rules';
import { ROOT } from '../../deploy/build/source-files';
import { codeBlocks, commandsOn, shellLines } from '../support/guide-steps';

const PAGES = [RUNBOOK, 'docs/operate/point-in-time.md'];
const PSQL = /^psql --command "(?<sql>[^"]*)" "\$ADMIN_URL"$/;

/** The test that runs the commands of each program; null where they need the nodes of a cluster, or only set a variable. */
const RUN_BY: [RegExp, string | null][] = [
  [/^psql --command "[^"]*" "\$ADMIN_URL"$/, 'test/documents/runbook.spec.ts'],
  [/^openssl /, 'test/documents/runbook.spec.ts'],
  [/^(npm run --silent kinora --|kinora) /, 'test/e2e/incident-commands.e2e-spec.ts'],
  [/^nats .* stream edit /, 'test/cluster/nats/runbook-commands.e2e-spec.ts'],
  [/^nats .* stream info /, 'test/cluster/nats/full-disk.e2e-spec.ts'],
  [/^docker /, 'test/docker/compose/compose.image-spec.ts'],
  [/^(psql --command .* --command|pg_\w+|mkdir|ls|sh|df) /, 'test/cluster/postgres/point-in-time.e2e-spec.ts'],
  [/^kubectl (annotate|scale|rollout restart) /, 'test/cluster/kubernetes/guides.e2e-spec.ts'],
  [/^(kubectl|export) /, null],
];

describe('commands of an incident', () => {
  let billing: TestDatabase;
  let client: Client;
  let lines: string[];

  beforeAll(async () => {
    billing = await createTestDatabase('billing', migrations);
    client = new Client({ connectionString: billing.adminUrl });
    await client.connect();
    lines = (await Promise.all(PAGES.map(shellLines))).flat();
  });

  afterAll(async () => {
    await client.end();
    await billing.close();
  });

  /** The result of each query whose text contains the words, as an administrator runs it. */
  async function results(words: string): Promise<{ rows: object[]; columns: string[] }[]> {
    const queries = lines
      .flatMap((line) => PSQL.exec(line)?.groups?.['sql'] ?? [])
      .filter((sql) => sql.includes(words));
    const found = [];
    for (const sql of queries) {
      const { rows, fields } = await client.query<object>(sql.replace(/\$\w+/g, '2026-01-01 00:00:00 UTC'));
      found.push({ rows, columns: fields.map(({ name }) => name) });
    }
    return found;
  }

  it('are run by a test, each that needs no Kubernetes', async () => {
    const commands = (await Promise.all(PAGES.map(commandsOn))).flat();
    const notRun = commands.filter((command) => !RUN_BY.some(([begin]) => begin.test(command)));
    expect(notRun).toEqual([]);
    const needless = RUN_BY.filter(([begin]) => !commands.some((command) => begin.test(command)));
    expect(needless).toEqual([]);
    const missing = RUN_BY.filter(([, file]) => file !== null && !existsSync(path.join(ROOT, file)));
    expect(missing).toEqual([]);
  });

  it('are accepted by PostgreSQL, every query of them', async () => {
    expect((await results('')).length).toBeGreaterThanOrEqual(9);
  });

  it('name the largest tables of the contexts', async () => {
    const [sizes] = await results('pg_total_relation_size');
    expect(sizes?.rows).toContainEqual(expect.objectContaining({ schemaname: 'billing' }));
  });

  it('list the keys that a leak may have made, and those that still need the leaked pepper', async () => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO billing.account (id, name, rate_limit_rpm, retention_days)
       VALUES (gen_random_uuid(), 'victim', 60, 7) RETURNING id`,
    );
    await client.query(
      `INSERT INTO billing.api_key (id, account_id, name, prefix, hash, created_at)
       VALUES (gen_random_uuid(), $1, 'forged', 'kn_forged', '\\x00', '2026-02-01'),
              (gen_random_uuid(), $1, 'former', 'kn_former', '\\x01', '2025-12-01')`,
      [rows[0]?.id],
    );
    const listed = (await results('FROM billing.api_key')).map(({ rows: keys }) =>
      keys.map((key) => (key as { name: string }).name),
    );
    expect(listed).toEqual([['forged'], ['former']]);
  });

  it('make a pepper of 32 random bytes', () => {
    const [line = ''] = lines.filter((each) => each.startsWith('openssl rand'));
    const [program = '', ...args] = line.split(' ');
    expect(execFileSync(program, args, { encoding: 'utf8' })).toMatch(/^[0-9a-f]{64}\n$/);
  });

  it.each(PAGES)('are valid for a shell: %s', async (page) => {
    for (const { language, code } of await codeBlocks(page))
      if (language === 'sh') execFileSync('sh', ['-n'], { input: code });
  });
});
