import type { CreatedAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { DataFolder } from './data-folder';
import { findSetupUrl } from './banner';
import { ensureDemoAccount } from './demo-account';
import { findFreePorts, whyNotFree } from './free-ports';
import type { LocalStackSettings } from './local-stack.config';
import { PrivateJsonFile } from './private-json-file';
import type { ProcessSpec } from './processes/process-spec';
import type { Supervisor } from './processes/supervisor';
import { ensureLocalAuthority } from './content-credentials';
import { ensureSecrets, type Secrets } from './secrets';
import {
  countPorts,
  healthUrl,
  planInstances,
  publicUrl,
  type ServiceInstance,
  type ServiceName,
} from './service-instance';
import { serviceProcess } from './service-process';
import type { Stack, StackProcess } from './stack-file';
import { startStores } from './stores';

const LAST_PORT = 65_535;
const SLOW_MS = 15_000;

export interface StackOptions {
  settings: LocalStackSettings;
  programs: string;
  env: NodeJS.ProcessEnv;
  folder: DataFolder;
  supervisor: Supervisor;
  stop: AbortSignal;
  /** Called as the start goes on; it takes minutes on a busy machine. */
  print: (text: string) => void;
  inspectPorts: Partial<Record<ServiceName, number>>;
}

/** Starts the stores, then all services in parallel, and resolves when all are ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { settings, programs, env, folder, supervisor, stop, inspectPorts, print } = options;
  const run = (spec: ProcessSpec): Promise<void> => supervisor.run(spec, stop);
  const secrets = await ensureSecrets(new PrivateJsonFile<Secrets>(folder.secrets));
  const consolePort = await findConsolePort(settings);
  const [postgresPort, natsPort, ...ports] = await findFreePorts(2 + countPorts(settings.replicas), [
    settings.port,
    consolePort,
  ]);
  const instances = planInstances(settings.replicas, { gateway: settings.port, console: consolePort }, ports);
  print('PostgreSQL and NATS start, and the schemas are migrated …');
  const stores = await startStores(
    { settings, programs, env, folder, secrets, run, stop },
    postgresPort as number,
    natsPort as number,
  );
  const stack = {
    natsUrl: stores.natsUrl,
    databaseUrls: stores.contextUrls,
    gatewayPort: settings.port,
    consolePort,
    sandboxPort: instances.find(({ service }) => service === 'sandbox')?.port as number,
    configDir: settings.configDir,
    objectStoreDir: folder.objects,
    mailDir: folder.mail,
    secrets,
    authority: await ensureLocalAuthority(folder, new Date()),
  };
  print(`${instances.length} services start …`);
  const waiting = new Set(instances.map(({ name }) => name));
  const start = async (instance: ServiceInstance): Promise<void> => {
    await run(serviceProcess({ instance, stack, programs, folder, env, inspectPort: inspectPorts[instance.service] }));
    waiting.delete(instance.name);
  };
  const slow = setInterval(() => print(`Still starting: ${[...waiting].join(', ')}`), SLOW_MS);
  await Promise.all(instances.map(start)).finally(() => clearInterval(slow));
  const account = await ensureDemoAccount(new PrivateJsonFile<CreatedAccount>(folder.demoAccount), stores.natsUrl);
  return {
    pid: process.pid,
    base_url: `${publicUrl(settings.port)}/v1`,
    api_key: account.api_key,
    account_id: account.account_id,
    webhook_secret: account.webhook_secret,
    console_url: publicUrl(consolePort),
    console_setup_url: await findSetupUrl(publicUrl(consolePort), secrets.console_setup_token),
    nats_url: stores.natsUrl,
    database_url: stores.databaseUrl,
    processes: Object.fromEntries(
      instances.map((instance) => [instance.name, describeProcess(instance, supervisor.pidOf(instance.name))]),
    ),
  };
}

/** By default the port after that of the API, so that it stays the same; another one if it is taken. */
async function findConsolePort({ port, consolePort }: LocalStackSettings): Promise<number> {
  if (consolePort !== null) return consolePort;
  const beside = port + 1;
  if (beside <= LAST_PORT && (await whyNotFree(beside)) === null) return beside;
  const [free] = await findFreePorts(1, [port]);
  return free as number;
}

function describeProcess(instance: ServiceInstance, pid: number): StackProcess {
  const { service, publicPort } = instance;
  return {
    pid,
    health_url: healthUrl(instance),
    ...(service === 'gateway' && publicPort !== null && { base_url: `${publicUrl(publicPort)}/v1` }),
  };
}
