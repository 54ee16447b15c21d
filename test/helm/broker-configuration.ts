import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../deploy/local/data-folder';
import { findNatsBinary } from '../../deploy/local/nats/nats-binary';

const run = promisify(execFile);
/** An option that the server in the chart's image supports; Debian's server is older and refuses it. */
const NEWER_THAN_DEBIAN = /^ *sync_interval: always\n/m;

/** The errors of a real server for the chart's broker configuration; empty where it would start. */
export async function brokerComplaint(files: Record<string, string>, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-broker-'));
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(path.join(folder, name), text.replace(NEWER_THAN_DEBIAN, ''));
    const server = await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env });
    await run(server, ['--config', path.join(folder, 'nats.conf'), '-t'], { env });
    return '';
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error);
  } finally {
    await rm(folder, { recursive: true });
  }
}
