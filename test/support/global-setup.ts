import { LocalStack } from './local-stack';
import { startTestServers, type TestServers } from './test-servers';

declare global {
  var kinoraSharedStack: LocalStack | undefined;
  var kinoraTestServers: TestServers | undefined;
}

/** Runs once in a jest run: specs find the servers through environment variables that their workers inherit. */
export default async function startServersForSpecs(): Promise<void> {
  if (process.env.KINORA_TEST_SHARES_STACK) {
    globalThis.kinoraSharedStack = await LocalStack.startShared();
    process.env.KINORA_TEST_STACK = globalThis.kinoraSharedStack.dataDir;
  }
  // `npm run test:mutations` starts jest many times, beside servers of its own.
  if (process.env.KINORA_TEST_DATABASE_URL && process.env.KINORA_TEST_NATS_URL) return;
  const servers = await startTestServers();
  globalThis.kinoraTestServers = servers;
  process.env.KINORA_TEST_DATABASE_URL = servers.databaseUrl;
  process.env.KINORA_TEST_NATS_URL = servers.natsUrl;
}
