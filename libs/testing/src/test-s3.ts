import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUCKET = 'kinora';
/** The server's only account. The server checks dates and expiry of signatures, but not the signature itself. */
const ACCOUNT = 'S3RVER';

/** Port 0 lets the system choose a free port. The server ends when its parent process disconnects. */
const PROGRAM = `
  const S3rver = require('s3rver');
  const [directory] = process.argv.slice(1);
  process.on('disconnect', () => process.exit());
  new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: '${BUCKET}' }] })
    .run().then(({ port }) => process.send(port));`;

/** An S3 server that shares no code with the SDK, in a separate process and folder, with one empty bucket. */
export class TestS3 {
  private constructor(
    readonly endpoint: string,
    private readonly server: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(): Promise<TestS3> {
    const folder = await mkdtemp(join(tmpdir(), 'kinora-s3-'));
    // It encrypts page tokens with a cipher that current OpenSSL only has in its legacy provider.
    const server = spawn(process.execPath, ['--openssl-legacy-provider', '-e', PROGRAM, folder], {
      cwd: __dirname,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [port] = (await once(server, 'message')) as [number];
    return new TestS3(`http://127.0.0.1:${port}`, server, folder);
  }

  /** The settings with which a service stores its objects here. */
  get settings(): Record<string, string> {
    return {
      KINORA_OBJECT_STORE: 's3',
      KINORA_S3_BUCKET: BUCKET,
      KINORA_S3_ENDPOINT: this.endpoint,
      KINORA_S3_PATH_STYLE: 'true',
      KINORA_S3_ACCESS_KEY_ID: ACCOUNT,
      KINORA_S3_SECRET_ACCESS_KEY: ACCOUNT,
    };
  }

  async stop(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    this.server.kill('SIGKILL');
    await once(this.server, 'exit');
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
