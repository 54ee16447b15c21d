import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../deploy/build/source-files';
import { ImageProcess, type ImageRun, type RunnableImage } from '../e2e/image/image-process';

const run = promisify(execFile);
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const DEBIAN = process.env['DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const AUTHORITIES = '/usr/local/share/authorities.crt';

export interface ImageConfig {
  Env: string[];
  User: string;
  WorkingDir: string;
  Cmd: string[];
  Labels: Record<string, string>;
}

/**
 * The image as its Dockerfile builds it, by buildah with chroot isolation and without a daemon. A base of the same Debian and the same
 * Node stands in for that of the registry. Needs root.
 */
export class BuiltImage implements RunnableImage {
  private constructor(
    private readonly folder: string,
    readonly root: string,
    readonly config: ImageConfig,
    readonly nodeVersion: string,
  ) {}

  static async build(buildArgs: Record<string, string>): Promise<BuiltImage> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-built-'));
    const nodeVersion = await buildBase(folder);
    const args = Object.entries({ ...buildArgs, BASE: 'localhost/base' }).flatMap(([name, value]) => [
      '--build-arg',
      `${name}=${value}`,
    ]);
    const files = ['--file', 'deploy/docker/Dockerfile', '--ignorefile', 'deploy/docker/Dockerfile.dockerignore'];
    await buildah(
      folder,
      'bud',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      ...args,
      ...files,
      '--tag',
      'kinora',
      '.',
    );
    const container = (await buildah(folder, 'from', '--pull-never', 'localhost/kinora')).trim();
    const root = (await buildah(folder, 'mount', container)).trim();
    const inspected = JSON.parse(await buildah(folder, 'inspect', container)) as { Docker: { config: ImageConfig } };
    return new BuiltImage(folder, root, inspected.Docker.config, nodeVersion);
  }

  /**
   * Starts `node` as a container engine would: the root file system is read-only, `/tmp` is in memory, and the user of the image has no
   * capabilities. Every step replaces its process, so that signals reach Node.
   */
  start({ program, args = [], env, writable }: ImageRun): ImageProcess {
    const [user = '', group = ''] = this.config.User.split(':');
    const privileges = ['--reuid', user, '--regid', group, '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
    const variables = [...this.config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const command = ['env', '--ignore-environment', '--chdir', this.config.WorkingDir, ...variables, 'node'];
    const steps = ['chroot', this.root, 'setpriv', ...privileges, ...command, program, ...args];
    const child = spawn('unshare', ['--mount', 'sh', '-ec', MOUNTS, 'sh', this.root, writable, ...steps], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ImageProcess(child);
  }

  /** A program of the operating system in the image, for tests. */
  async execute(...command: string[]): Promise<string> {
    return (await run('chroot', [this.root, ...command], { maxBuffer: OUTPUT_MAX_BYTES })).stdout;
  }

  /** Another image on the same base, for tests; the stage of a Dockerfile. */
  async buildStage(stage: string, dockerfile: string, context: string): Promise<void> {
    const files = ['--file', dockerfile, '--target', stage, '--build-arg', 'BASE=localhost/base'];
    await buildah(this.folder, 'bud', '--isolation', 'chroot', '--format', 'docker', ...files, '--tag', stage, context);
  }

  /** Writes an image to a file from which Docker loads it, under a name. */
  async save(image: string, file: string, name: string): Promise<void> {
    await buildah(this.folder, 'push', '--quiet', `localhost/${image}`, `docker-archive:${file}:${name}`);
  }

  async remove(): Promise<void> {
    await buildah(this.folder, 'umount', '--all');
    await buildah(this.folder, 'rm', '--all');
    await buildah(this.folder, 'rmi', '--all', '--force');
    await rm(this.folder, { recursive: true });
  }
}

/** Mounts of the process alone: they end with it. */
const MOUNTS = `
root=$1 writable=$2; shift 2
mount --bind "$root" "$root"
mount -t tmpfs -o mode=1777,size=256m tmpfs "$root/tmp"
mkdir -p "$root$writable"
mount --bind "$writable" "$root$writable"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec "$@"`;

function buildah(folder: string, command: string, ...args: string[]): Promise<string> {
  const storage = ['--root', path.join(folder, 'storage'), '--runroot', path.join(folder, 'run')];
  const all = [...storage, '--storage-driver', 'overlay', command, ...args];
  return run('buildah', all, { cwd: ROOT, maxBuffer: OUTPUT_MAX_BYTES }).then(({ stdout }) => stdout);
}

/** Debian's smallest system with the Node that the Dockerfile names, from npm's package of the same version, and the npm of this machine. */
async function buildBase(folder: string): Promise<string> {
  const base = path.join(folder, 'base');
  const dockerfile = await readFile(path.join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
  const [, version = '', suite = ''] = /^ARG BASE=node:([\d.]+)-(\w+)-slim@/m.exec(dockerfile) ?? [];
  await run('debootstrap', ['--variant=minbase', suite, base, DEBIAN], { maxBuffer: OUTPUT_MAX_BYTES });
  const node = `node-linux-${process.arch}`;
  await run('npm', ['pack', '--silent', `${node}@${version}`], { cwd: folder });
  await run('tar', ['--extract', '--gzip', '--file', `${node}-${version}.tgz`], { cwd: folder });
  await mkdir(path.join(base, 'usr/local/lib/node_modules'), { recursive: true });
  await rename(path.join(folder, 'package/bin/node'), path.join(base, 'usr/local/bin/node'));
  const { stdout: modules } = await run('npm', ['root', '--global']);
  await cp(path.join(modules.trim(), 'npm'), path.join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
  const launcher = '#!/usr/local/bin/node\nrequire("/usr/local/lib/node_modules/npm/lib/cli.js")(process);\n';
  await writeFile(path.join(base, 'usr/local/bin/npm'), launcher, { mode: 0o755 });
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  // Where this machine reaches registries through a proxy with an authority of its own, so does the build.
  if (authorities) await cp(authorities, path.join(base, AUTHORITIES));
  const variables = [`PATH=${PATH}`, ...(authorities ? [`NODE_EXTRA_CA_CERTS=${AUTHORITIES}`] : [])];
  await writeFile(path.join(folder, 'Basefile'), `FROM scratch\nCOPY . /\nENV ${variables.join(' ')}\n`);
  await buildah(folder, 'bud', '--isolation', 'chroot', '--file', path.join(folder, 'Basefile'), '--tag', 'base', base);
  return version;
}
