import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import packageLock from '../../../package-lock.json';
import { nodeArguments } from '../../../deploy/local/service-process';
import { ROOT } from '../../../deploy/build/source-files';
import { ImageProcess, type ImageRun, type RunnableImage } from './image-process';

const run = promisify(execFile);
const USER_ID = 10_001;

interface LockedPackage {
  dev?: boolean;
}

/** Read by every process before its program: a firewall without a route out. */
const FIREWALL = 'no-route-out.cjs';

/**
 * The files that the last stage of the Dockerfile copies, in a folder: the build, and its run-time files. Its processes have no route
 * out, and note in the file `attempts` what they try to reach.
 */
export class ImageTree implements RunnableImage {
  private constructor(private readonly folder: string) {}

  static async assemble(): Promise<ImageTree> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-image-'));
    await Promise.all(
      ['dist/apps', 'dist/libs', 'package.json'].map((part) =>
        cp(path.join(ROOT, part), path.join(folder, part), { recursive: true }),
      ),
    );
    await cp(path.join(ROOT, 'deploy/docker/health-check.cjs'), path.join(folder, 'health-check.cjs'));
    await cp(path.join(ROOT, 'test/support', FIREWALL), path.join(folder, FIREWALL));
    await copyProductionPackages(folder);
    // The user of the image may read every file in it and change none.
    await run('chmod', ['-R', 'a+rX,a-w', folder]);
    return new ImageTree(folder);
  }

  /** As a user who owns no files. Where the tests may not change their user, as that user. */
  start({ program, args = [], env, writable }: ImageRun): ImageProcess {
    const identity = process.getuid?.() === 0 ? { uid: USER_ID, gid: USER_ID } : {};
    // As arguments, because the processes that a service starts get these, and not its environment.
    const first = ['--require', path.join(this.folder, FIREWALL), ...nodeArguments(path.join(this.folder, 'dist'))];
    const child = spawn(process.execPath, [...first, program, ...args], {
      cwd: this.folder,
      env: {
        NODE_ENV: 'production',
        KINORA_TEST_ATTEMPTS: path.join(writable, 'attempts'),
        PATH: '/usr/bin:/bin',
        TMPDIR: path.join(writable, 'tmp'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...identity,
    });
    return new ImageProcess(child);
  }

  async remove(): Promise<void> {
    await run('chmod', ['-R', 'u+w', this.folder]);
    await rm(this.folder, { recursive: true });
  }
}

/**
 * The packages that `npm ci --omit=dev` would install, without what the Dockerfile takes out. Packages for other platforms are not
 * installed. A package includes those inside its own folder.
 */
async function copyProductionPackages(folder: string): Promise<void> {
  const installed = path.dirname(await realpath(path.join(ROOT, 'node_modules')));
  const wanted = Object.entries(packageLock.packages as Record<string, LockedPackage>)
    .filter(([, { dev }]) => dev !== true)
    .map(([location]) => location)
    .filter((location) => /^node_modules\/(?!.*\/node_modules\/)/.test(location))
    .filter((location) => existsSync(path.join(installed, location)));
  await run('cp', ['-R', '--parents', ...wanted, folder], { cwd: installed });
  const dockerfile = await readFile(path.join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
  const [removed = ''] = /rm -rf node_modules[^&]+/.exec(dockerfile) ?? [];
  for (const part of removed.match(/node_modules\S+/g) ?? []) await rm(path.join(folder, part), { recursive: true });
}
