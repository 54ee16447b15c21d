import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface ImageRun {
  /** Relative to the working directory of the image. */
  program: string;
  args?: string[];
  /** What the process gets beside the environment of the image; nothing is inherited. */
  env: Record<string, string>;
  /** A folder of the host that the process sees at the same path, and may write to. */
  writable: string;
}

/** The files of the image, from which processes start as its user. */
export interface RunnableImage {
  start(run: ImageRun): ImageProcess;
  remove(): Promise<void>;
}

export class ImageProcess {
  readonly output: string[] = [];

  constructor(private readonly child: ChildProcess) {
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
  }

  async end(): Promise<{ exitCode: number | null; output: string }> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return { exitCode: this.child.exitCode, output: this.output.join('') };
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return (await this.end()).exitCode;
  }
}
