import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../deploy/build/source-files';
import { cacheFolder } from '../../../deploy/local/data-folder';
import { findNatsBinary } from '../../../deploy/local/nats/nats-binary';
import { BuiltImage } from '../built-image';
import { fetchSeaweedFs } from '../seaweedfs';
import { DockerDaemon, type Fetched } from './docker-daemon';

const FOLDER = 'test/docker/compose';
const FILES = ['deploy/docker/compose.yaml', 'deploy/docker/archive.compose.yaml'];
const SUBSTITUTES: Record<string, string> = { postgres: 'postgres', nats: 'nats', 'chrislusf/seaweedfs': 'objects' };

/**
 * A copy of the files of compose in a folder, where only the images differ: that of Kinora is built already, and substitutes with the same
 * programs replace those of others. Commands run in it unchanged.
 */
export class ComposeProject {
  private constructor(
    private readonly daemon: DockerDaemon,
    readonly folder: string,
  ) {}

  static async make(): Promise<ComposeProject> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-compose-'));
    await cp(path.join(ROOT, 'deploy'), path.join(folder, 'deploy'), { recursive: true });
    for (const file of FILES) {
      const text = await readFile(path.join(ROOT, file), 'utf8');
      await writeFile(path.join(folder, file), withSubstitutes(text));
    }
    const project = new ComposeProject(await DockerDaemon.start(), folder);
    try {
      // Docker's plugin for Compose is a package of its own, and may be missing.
      await project.shell('docker compose version');
      await loadImages(project.daemon, folder);
      return project;
    } catch (error) {
      // The daemon would otherwise outlive the tests.
      await project.remove();
      throw error;
    }
  }

  /** In the folder of the copy, or in one below it. */
  shell(script: string, below = '.'): Promise<string> {
    return this.daemon.shell(script, path.join(this.folder, below));
  }

  fetch(url: string, init?: RequestInit): Promise<Fetched> {
    return this.daemon.fetch(url, init);
  }

  async remove(): Promise<void> {
    await this.shell('docker ps --all --quiet | xargs --no-run-if-empty docker rm --force');
    await this.daemon.stop();
    await rm(this.folder, { recursive: true });
  }
}

/** Without `build`, `up --build` builds nothing. */
function withSubstitutes(text: string): string {
  const replaced = text.replace(/^( *)build: .*\n/gm, '');
  return replaced.replace(/^( *image: )(\S+?):\S+@\S+$/gm, (_, key: string, image: string) => {
    const substitute = SUBSTITUTES[image];
    if (substitute === undefined) throw new Error(`There is no substitute for the image ${image}.`);
    return `${key}localhost/${substitute}:latest`;
  });
}

async function loadImages(daemon: DockerDaemon, folder: string): Promise<void> {
  const image = await BuiltImage.build({});
  const context = path.join(folder, 'images');
  await mkdir(context);
  try {
    await cp(await findNatsBinary({ cacheDir: cacheFolder(process.env), env: process.env }), `${context}/nats-server`);
    await cp(await fetchSeaweedFs(context), `${context}/weed`);
    await cp(path.join(ROOT, FOLDER, 'start-postgres.sh'), `${context}/start-postgres.sh`);
    for (const stage of Object.values(SUBSTITUTES))
      await image.buildStage(stage, path.join(ROOT, FOLDER, 'substitutes.Dockerfile'), context);
    for (const name of ['kinora', ...Object.values(SUBSTITUTES)]) {
      const file = path.join(context, `${name}.tar`);
      await image.save(name, file, name === 'kinora' ? 'kinora:1.0.0' : `localhost/${name}:latest`);
      await daemon.shell(`docker load --quiet --input ${file}`, context);
      await rm(file);
    }
  } finally {
    await image.remove();
  }
}
