import path from 'node:path';

/** The addresses of the servers that jest's global setup has started; its workers inherit them. */
export function testDatabaseUrl(): string {
  return addressIn('KINORA_TEST_DATABASE_URL');
}

export function testNatsUrl(): string {
  return addressIn('KINORA_TEST_NATS_URL');
}

/** The path on which programs are found. */
export function testEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

function addressIn(variable: string): string {
  const address = process.env[variable];
  if (!address) throw new Error(`${variable} is not set: run specs through jest, which starts the servers`);
  return address;
}

/** With these arguments, Node and its worker threads run TypeScript; jest compiles only what it loads itself. */
export const TYPESCRIPT_ARGUMENTS = ['--require', path.join(__dirname, '../../../test/typescript.cjs')];
