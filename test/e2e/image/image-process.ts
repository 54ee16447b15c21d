import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeArguments } from '../../../deploy/local/node-program';

/** The user of the image. */
const USER_ID = 10_001;

export interface ImageProcessOptions {
  /** The root of the image's tree. */
  folder: string;
  /** Relative to that root. */
  program: string;
  args?: string[];
  /** The whole environment of the process; nothing is inherited. */
  env: Record<string, string>;
}

/** Runs a program of the image as a user who owns no files. Where the tests may not change their user, it runs as that user. */
export class ImageProcess {
  readonly output: string[] = [];
  private readonly child: ChildProcess;

  constructor({ folder, program, args = [], env }: ImageProcessOptions) {
    const identity = process.getuid?.() === 0 ? { uid: USER_ID, gid: USER_ID } : {};
    this.child = spawn(process.execPath, [...nodeArguments(path.join(folder, 'dist')), program, ...args], {
      cwd: folder,
      env: { NODE_ENV: 'production', PATH: '/usr/bin:/bin', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...identity,
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
  }

  /** The exit code and the output. */
  async end(): Promise<{ exitCode: number | null; output: string }> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return { exitCode: this.child.exitCode, output: this.output.join('') };
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return (await this.end()).exitCode;
  }
}
