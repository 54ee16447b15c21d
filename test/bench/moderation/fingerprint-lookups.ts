import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { askedHashesOf } from '../../../apps/moderation/src/fingerprint/asked-hash';
import { FingerprintRepository } from '../../../apps/moderation/src/fingerprint/fingerprint.repository';
import { BANDS, bandSql, STORED_NUMBERS } from '../../../apps/moderation/src/fingerprint/hash-bands';
import { PLANE_SIDE } from '../../../apps/moderation/src/image/perceptual-hash';
import { migrations } from '../../../apps/moderation/src/migrations/migrations';
import { createDataSource, Database, migrate, provision } from '../../../libs/database/src';
import { startTestServers } from '../../support/test-servers';

const CONTEXT = 'moderation';
const LOOK_UPS = 300;
const WARM_UP = 100;
const NUMBERS = Array.from({ length: BANDS }, (_, band) => band + 1);
const INDICES = NUMBERS.map(
  (band) => `CREATE INDEX fingerprint_by_long_band_${band} ON fingerprint (${bandSql(band - 1)})`,
);

/** Random hashes are the worst case of equal size: every value of a band has as many rows. */
const FILL = `
  INSERT INTO fingerprint (file_sha256, frame, perceptual_hash, bands, luminances, model)
  SELECT sha256(number::text::bytea), 0, ('x' || md5(number::text) || md5('b' || number))::bit(256),
         ARRAY[${Array.from({ length: STORED_NUMBERS }, () => '(random() * 1048575)::integer').join(', ')}],
         decode(md5('l' || number), 'hex'), 'general-image'
    FROM generate_series(1, $1::integer) AS number`;

/** A registry in a PostgreSQL of its own, after so many other outputs. */
export async function withRegistry<Result>(
  rows: number,
  work: (fingerprints: FingerprintRepository) => Promise<Result>,
): Promise<Result> {
  const servers = await startTestServers();
  try {
    const url = await provision(servers.databaseUrl, { context: CONTEXT, password: 'bench' });
    await migrate(url, CONTEXT, migrations);
    await fill(url, rows);
    const dataSource = await createDataSource({ url, name: 'bench', poolSize: 1 }).initialize();
    try {
      return await work(new FingerprintRepository(new Database(dataSource)));
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await servers.stop();
  }
}

/** Builds the indices last: row by row they take ten times as long. */
async function fill(url: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SET statement_timeout = 0; SET maintenance_work_mem = '1GB'`);
    for (const band of NUMBERS) await client.query(`DROP INDEX fingerprint_by_long_band_${band}`);
    await client.query(FILL, [rows]);
    for (const index of INDICES) await client.query(index);
    await client.query('VACUUM ANALYZE fingerprint');
  } finally {
    await client.end();
  }
}

/** Milliseconds of look-ups of unknown images, with three hashes each, sorted. */
export async function timeLookUps(fingerprints: FingerprintRepository): Promise<number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < LOOK_UPS; round++) {
    const asked = askedHashesOf(Float64Array.from({ length: PLANE_SIDE ** 2 }, () => Math.random() * 255));
    const startedAtMs = performance.now();
    if (await fingerprints.findCopied(asked)) throw new Error('Noise is taken for an output.');
    if (round >= 0) times.push(performance.now() - startedAtMs);
  }
  return times.sort((one, other) => one - other);
}
