import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from './data-folder';
import { findFreePorts } from './free-ports';
import { findNatsBinary } from './nats/nats-binary';
import { natsProcess } from './nats/nats-process';
import { assertNatsUsable } from './preflight';
import { RunningProcess } from './processes/running-process';
import { untilReady } from './processes/until-ready';
import { StartProblem } from './start-problem';

const NOBODY = '127.0.0.1:1';

describe('checks before a start', () => {
  it('accept a NATS server with and without a scheme and credentials, anywhere in a list', async () => {
    const url = process.env.KINORA_TEST_NATS_URL as string;
    const { host } = new URL(url);
    for (const form of [url, host, `nats://ada:secret@${host}`, `${url},${NOBODY}`, `${NOBODY},${url}`]) {
      await expect(assertNatsUsable(form)).resolves.toBeUndefined();
    }
  });

  it.each([
    [
      `${NOBODY},nats://ada:secret@127.0.0.1:2`,
      'NATS_URL (127.0.0.1:1, 127.0.0.1:2): no NATS server answers: start it',
    ],
    ['nats://ada:secret@', 'NATS_URL: must be addresses such as nats://user:password@host:4222, separated by commas'],
  ])('name the problem with NATS_URL, without its password: %s', async (natsUrl, message) => {
    const checked = assertNatsUsable(natsUrl);
    await expect(checked).rejects.toThrow(StartProblem);
    await expect(checked).rejects.toThrow(message);
    await expect(checked).rejects.not.toThrow('secret');
  });

  it.each([
    ['max_payload: 8MB', 'JetStream is off: start the server with --jetstream'],
    ['jetstream: enabled', 'a message may have 1048576 bytes only: set "max_payload: 8MB"'],
  ])('name the missing feature of a NATS server that has only %j', async (setting, lack) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-preflight-'));
    const [port] = (await findFreePorts(1)) as [number];
    const file = (name: string): string => path.join(folder, name);
    await writeFile(file('conf'), `listen: "127.0.0.1:${port}"\n${setting}\n`);
    const env = { ...process.env, TMPDIR: folder };
    const binary = await findNatsBinary({ cacheDir: cacheFolder(env), env });
    const spec = natsProcess({ binary, configFile: file('conf'), port, logFile: file('log'), env });
    const server = await RunningProcess.start(spec);
    try {
      await untilReady(spec, server);
      await expect(assertNatsUsable(`${NOBODY},127.0.0.1:${port}`)).rejects.toThrow(
        `NATS_URL (127.0.0.1:1, 127.0.0.1:${port}): ${lack}`,
      );
    } finally {
      await server.stop(5_000);
      await rm(folder, { recursive: true });
    }
  });
});
