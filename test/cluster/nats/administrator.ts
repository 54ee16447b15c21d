import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMINISTRATOR } from '../../../deploy/build/generate/broker/broker-permissions';
import { incidentCommands } from '../../support/guide-steps';

const run = promisify(execFile);
const PASSWORD = 'administrator-of-tests';
const SERVER = '${BROKER_HOST:-kinora-nats}:4222';
const MISSING =
  "NATS' own command is not on the PATH: GOBIN=$PWD/bin go install github.com/nats-io/natscli/nats@v0.5.1";

/** The user of the runbook with the permissions of the release, beside one who may do anything, for a server's configuration. */
export const USERS = `authorization {
  users: [
    { user: stack, password: ${PASSWORD} }
    {
      user: ${ADMINISTRATOR.user}
      password: ${PASSWORD}
      permissions: { publish: ${JSON.stringify(ADMINISTRATOR.publish)}, subscribe: ${JSON.stringify(ADMINISTRATOR.subscribe)} }
    }
  ]
}
`;

/** The credentials of the one who may do anything, as an address has them. */
export const STACK_CREDENTIALS = `stack:${PASSWORD}`;

/** The commands of the runbook with NATS' own program, in their order. */
export async function natsCommands(): Promise<string[]> {
  return await incidentCommands('nats ');
}

/** Runs one as a shell does, at a server on loopback. */
export async function runNatsCommand(command: string, port: number): Promise<string> {
  if (!command.includes(SERVER)) throw new Error(`The command names another server than ${SERVER}: ${command}`);
  const line = command.replace(SERVER, `127.0.0.1:${port}`);
  const env = { ...process.env, NATS_ADMINISTRATOR: PASSWORD };
  const { stdout } = await run('sh', ['-c', line], { env }).catch((error: { code?: number; stderr?: string }) => {
    throw error.code === 127 ? new Error(MISSING) : new Error(`${line}: ${error.stderr}`);
  });
  return stdout;
}
