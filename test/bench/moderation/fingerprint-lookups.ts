import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { type AskedHash, askedHashesOf } from '../../../apps/moderation/src/fingerprint/asked-hash';
import { FingerprintRepository } from '../../../apps/moderation/src/fingerprint/fingerprint.repository';
import { BANDS } from '../../../apps/moderation/src/fingerprint/hash-bands';
import { MAX_DISTANCE_BITS } from '../../../apps/moderation/src/fingerprint/known-outputs';
import { PLANE_SIDE } from '../../../apps/moderation/src/image/perceptual-hash';
import { migrations } from '../../../apps/moderation/src/migrations/migrations';
import { createDataSource, Database, migrate, provision } from '../../../libs/database/src';
import { startTestServers } from '../../support/test-servers';

const CONTEXT = 'moderation';
const LOOK_UPS = 200;
const WARM_UP = 50;
const NUMBERS = Array.from({ length: BANDS }, (_, band) => band + 1);
const INDICES = NUMBERS.map((band) => `CREATE INDEX fingerprint_by_band_${band} ON fingerprint ((bands[${band}]))`);

/** Random hashes are the worst case of equal size: every value of a band has as many rows. */
const FILL = `
  INSERT INTO fingerprint (file_sha256, frame, perceptual_hash, bands, model)
  SELECT sha256(number::text::bytea), 0, ('x' || md5(number::text) || md5('b' || number))::bit(256),
         ARRAY[${NUMBERS.map(() => '(random() * 1048575)::integer').join(', ')}], 'general-image'
    FROM generate_series(1, $1::integer) AS number`;

/** Milliseconds in a full registry, sorted: the look-up of an unknown hash, and of an image, which has three. */
interface LookUpTimes {
  hash: number[];
  image: number[];
}

export async function measureLookUps(rows: number): Promise<LookUpTimes> {
  const servers = await startTestServers();
  try {
    const url = await provision(servers.databaseUrl, { context: CONTEXT, password: 'bench' });
    await migrate(url, CONTEXT, migrations);
    await fill(url, rows);
    const dataSource = await createDataSource({ url, name: 'bench', poolSize: 1 }).initialize();
    try {
      const fingerprints = new FingerprintRepository(new Database(dataSource));
      const image = await timeLookUps(fingerprints, askForNoise);
      return { image, hash: await timeLookUps(fingerprints, () => askForNoise().slice(0, 1)) };
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
    for (const band of NUMBERS) await client.query(`DROP INDEX fingerprint_by_band_${band}`);
    await client.query(FILL, [rows]);
    for (const index of INDICES) await client.query(index);
    await client.query('VACUUM ANALYZE fingerprint');
  } finally {
    await client.end();
  }
}

async function timeLookUps(fingerprints: FingerprintRepository, ask: () => AskedHash[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP; round < LOOK_UPS; round++) {
    const asked = ask();
    const startedAtMs = performance.now();
    if (await fingerprints.findNear(asked, MAX_DISTANCE_BITS)) throw new Error('Noise is taken for an output.');
    if (round >= 0) times.push(performance.now() - startedAtMs);
  }
  return times.sort((one, other) => one - other);
}

function askForNoise(): AskedHash[] {
  return askedHashesOf(Float64Array.from({ length: PLANE_SIDE ** 2 }, () => Math.random() * 255));
}
