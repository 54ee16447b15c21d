import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import type { ApiClient } from '../support/api-client';
import { incidentCommands } from '../support/guide-steps';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const run = promisify(exec);
const PROGRAM = 'npm run --silent kinora --';

/** The operator's command as the runbook and its neighbours name it, against a stack with a job and a key. */
describe('commands of an incident', () => {
  let stack: LocalStack;
  let client: ApiClient;
  let words: Record<string, string>;

  beforeAll(async () => {
    stack = await LocalStack.start();
    const opened = await openAccount(stack);
    client = opened.client;
    const job = await client.generate({ prompt: 'a harbour' });
    await client.ended(job.id);
    const { stdout } = await kinora(`key list ${opened.accountId} --json`);
    const [key] = (JSON.parse(stdout) as { data: { api_key_id: string }[] }).data;
    words = { ACCOUNT_ID: opened.accountId, JOB_ID: job.id, KEY_ID: key?.api_key_id ?? '' };
  }, 120_000);

  afterAll(() => stack.stop());

  const kinora = (command: string): Promise<{ stdout: string }> =>
    run(`${PROGRAM} ${command}`, { env: { ...process.env, KINORA_DATA_DIR: stack.dataDir } });

  it('succeed, each as a shell runs it', async () => {
    const commands = [...(await incidentCommands(PROGRAM)), ...(await incidentCommands('kinora '))];
    const named = new Set(
      commands.map((command) =>
        command
          .replace(PROGRAM, '')
          .replace(/^kinora/, '')
          .trim(),
      ),
    );
    expect(named.size).toBeGreaterThanOrEqual(12);
    // A revoked key and a paused account are of no use to the others.
    const isLast = (command: string): number => Number(/^key revoke|set-status/.test(command));
    for (const command of [...named].toSorted((one, other) => isLast(one) - isLast(other))) {
      const line = command.replaceAll(/\b[A-Z]+_ID\b/g, (word) => words[word] ?? word);
      const problem = await kinora(line).then(
        () => null,
        (error: { stdout?: string }) => error.stdout?.replaceAll(/^ok .*\n/gm, '') ?? error,
      );
      expect({ line, problem }).toEqual({ line, problem: null });
    }
    expect((await client.get('/account')).status).toBe(401);
  }, 240_000);
});
