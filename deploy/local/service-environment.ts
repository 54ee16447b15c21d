import { fileVariable } from '@kinora/service-kit/without-nest';
import type { Secrets } from './secrets';
import { type ContextWithSchema, publicUrl, type ServiceInstance, type ServiceName } from './service-instance';

/** What the processes of a stack must know of it. */
export interface StackSettings {
  natsUrl: string;
  /** Each context's own role. */
  databaseUrls: Record<ContextWithSchema, string>;
  gatewayPort: number;
  sandboxPort: number;
  configDir: string;
  objectStoreDir: string;
  secrets: Secrets;
}

type Settings = Record<string, string>;

/** What a stack on one machine has otherwise than a cluster, unless the launcher was told. */
const CONVENIENT: Settings = { KINORA_PAYMENTS: 'sandbox' };

/** The environment of one process: all of the launcher's, and on top of it what the process needs of the stack. */
export function serviceEnvironment(
  instance: ServiceInstance,
  stack: StackSettings,
  inherited: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const own = {
    KINORA_PROFILE: 'local',
    KINORA_CONFIG_DIR: stack.configDir,
    NATS_URL: stack.natsUrl,
    [instance.service === 'sandbox' ? 'SANDBOX_PORT' : 'KINORA_HEALTH_PORT']: String(instance.port),
    ...OWN_SETTINGS[instance.service](stack, instance),
  };
  // The launcher's own DATABASE_URL is an administrator's; a service that has no schema must not hold it.
  const replaced = new Set(['DATABASE_URL', ...Object.keys(own)].flatMap((name) => [name, fileVariable(name)]));
  const rest = Object.entries(inherited).filter(([name]) => !replaced.has(name));
  return { ...CONVENIENT, ...Object.fromEntries(rest), ...own };
}

const OWN_SETTINGS: Record<ServiceName, (stack: StackSettings, instance: ServiceInstance) => Settings> = {
  gateway: (stack, { publicPort }) => ({
    ...signedFiles(stack),
    KINORA_HOST: '127.0.0.1',
    KINORA_PORT: String(publicPort),
  }),
  jobs: (stack) => ({
    ...signedFiles(stack),
    DATABASE_URL: stack.databaseUrls.jobs,
    KINORA_SANDBOX_URL: `http://127.0.0.1:${stack.sandboxPort}`,
  }),
  billing: (stack) => ({
    DATABASE_URL: stack.databaseUrls.billing,
    KINORA_KEY_PEPPER: stack.secrets.key_pepper,
  }),
  moderation: (stack) => ({
    DATABASE_URL: stack.databaseUrls.moderation,
    KINORA_OBJECT_STORE_DIR: stack.objectStoreDir,
  }),
  catalog: (stack) => ({ DATABASE_URL: stack.databaseUrls.catalog }),
  'webhook-dispatcher': (stack) => ({ DATABASE_URL: stack.databaseUrls['webhook-dispatcher'] }),
  sandbox: () => ({}),
};

/** Jobs signs addresses of files, the gateway serves them. */
function signedFiles(stack: StackSettings): Settings {
  return {
    KINORA_OBJECT_STORE_DIR: stack.objectStoreDir,
    KINORA_PUBLIC_URL: publicUrl(stack.gatewayPort),
    KINORA_URL_SIGNING_KEY: stack.secrets.url_signing_key,
  };
}
