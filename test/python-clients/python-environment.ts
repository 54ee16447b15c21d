import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCES = path.resolve('test/python-clients');
const OLDEST_MINOR = 10;
const SCENARIO_TIMEOUT_MS = 180_000;

/** What this machine lacks. It is no failure of a client. */
export class MissingPrerequisite extends Error {}

/** The pinned packages in a virtual environment of their own. */
export class PythonEnvironment {
  private constructor(private readonly python: string) {}

  /** @throws MissingPrerequisite */
  static async create(folder: string, interpreter = process.env['PYTHON'] ?? 'python3'): Promise<PythonEnvironment> {
    const version = await run(interpreter, ['-c', 'import sys; print(*sys.version_info[:2])']).catch(() => null);
    const [major = 0, minor = 0] = (version?.stdout ?? '').trim().split(' ').map(Number);
    if (major !== 3 || minor < OLDEST_MINOR)
      throw new MissingPrerequisite(
        `Python 3.${OLDEST_MINOR} or later is needed, and ${interpreter} is ${version ? `${major}.${minor}` : 'not there'}. Set PYTHON to another one.`,
      );
    const environment = path.join(folder, 'venv');
    await run(interpreter, ['-m', 'venv', environment]).catch((error: Error) => {
      throw new MissingPrerequisite(`Python's module venv is needed (Debian: python3-venv): ${lastLine(error)}`);
    });
    const python = path.join(environment, 'bin/python');
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
    await run(python, [...install, '--requirement', path.join(SOURCES, 'requirements.txt')]).catch((error: Error) => {
      throw new MissingPrerequisite(`pip cannot install requirements.txt from its package index: ${lastLine(error)}`);
    });
    return new PythonEnvironment(python);
  }

  /** @returns null, or what the scenario printed before it failed. */
  async run(scenario: string, env: Record<string, string>): Promise<string | null> {
    const options = { env: { ...process.env, ...env }, timeout: SCENARIO_TIMEOUT_MS };
    return await run(this.python, [path.join(SOURCES, 'clients.py'), scenario], options).then(
      () => null,
      (error: Error & { stderr?: string }) => error.stderr || error.message,
    );
  }
}

function lastLine(error: Error & { stderr?: string; stdout?: string }): string {
  const text = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim() || error.message;
  return text.split('\n').at(-1) ?? '';
}
