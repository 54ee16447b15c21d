import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '2.11.9';
const TIMEOUT_MS = 60_000;

/** SHA-256 of the project's own archives, from its SHA256SUMS file and the recipe of its container image. */
const CHECKSUMS: Partial<Record<string, string>> = {
  'linux-amd64': '3eef83faa048d3879937a6871f59ae5d9c3bbf5900905b7a9ff996a894d755ab',
  'linux-arm64': '47d7e652eb761d771bc42df04924aae0acf4e026d30ea98faa9bab216cc2e742',
  'darwin-amd64': '6b46d52e327ea0c177cf64d7afb9159031972adfef961ce0bef24eaf2a6754fd',
  'darwin-arm64': '600b5cdca8cfe634881b53c782b5f6384500a3ffcb10cc83d02a6239f788d48c',
};

/** Extracts the program from the official release, for systems without a Debian package. */
export async function fetchReleaseArchive(folder: string, signal?: AbortSignal): Promise<string> {
  const target = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const checksum = CHECKSUMS[target];
  if (checksum === undefined) throw new Error(`no release archive is known for ${target}`);
  const name = `nats-server-v${VERSION}-${target}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${VERSION}/${name}.tar.gz`;
  const response = await fetch(url, {
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const archive = await writeChecked(folder, Buffer.from(await response.arrayBuffer()), checksum);
  await run('tar', ['-xzf', archive], { cwd: folder, timeout: TIMEOUT_MS });
  return path.join(folder, name, 'nats-server');
}

/** An archive with another checksum is not written, unpacked or run. */
export async function writeChecked(folder: string, content: Buffer, checksum: string): Promise<string> {
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== checksum) throw new Error(`the archive's SHA-256 is ${actual} instead of ${checksum}`);
  const archive = path.join(folder, 'nats-server.tar.gz');
  await writeFile(archive, content);
  return archive;
}
