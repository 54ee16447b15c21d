import type { LocalAuthority } from '@kinora/credentials/without-nest';
import { fileVariable } from '@kinora/service-kit/without-nest';
import { hasOwnCertificate } from './content-credentials';
import type { Secrets } from './secrets';
import { type ContextWithSchema, publicUrl, type ServiceInstance, type ServiceName } from './service-instance';

/** The data of a stack that its processes need. */
export interface StackSettings {
  natsUrl: string;
  /** The database address of each context's own role. */
  databaseUrls: Record<ContextWithSchema, string>;
  gatewayPort: number;
  consolePort: number;
  sandboxPort: number;
  configDir: string;
  objectStoreDir: string;
  mailDir: string;
  secrets: Secrets;
  /** Signs the content credentials of outputs. */
  authority: Pick<LocalAuthority, 'certificatePem' | 'keyPem'>;
}

type Settings = Record<string, string>;

/** Defaults on one machine that differ from those in a cluster; the launcher's environment overrides them. */
const CONVENIENT: Settings = { KINORA_PAYMENTS: 'sandbox', KINORA_SIGN_UP: 'open' };

/** The environment of one process: that of the launcher, with the process's own settings of the stack. */
export function serviceEnvironment(
  instance: ServiceInstance,
  stack: StackSettings,
  inherited: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const signing = hasOwnCertificate(inherited) ? {} : credentialsOf(instance.service, stack);
  const own = {
    ...signing,
    KINORA_PROFILE: 'local',
    KINORA_CONFIG_DIR: stack.configDir,
    NATS_URL: stack.natsUrl,
    [instance.service === 'sandbox' ? 'SANDBOX_PORT' : 'KINORA_HEALTH_PORT']: String(instance.port),
    ...OWN_SETTINGS[instance.service](stack, instance),
  };
  // The launcher's DATABASE_URL is an administrator's; a service without a schema must not receive it.
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
    KINORA_RECEIPT_KEY: stack.secrets.receipt_key,
    KINORA_QUOTE_KEY: stack.secrets.quote_key,
    KINORA_SANDBOX_URL: `http://127.0.0.1:${stack.sandboxPort}`,
  }),
  billing: (stack) => ({
    DATABASE_URL: stack.databaseUrls.billing,
    KINORA_KEY_PEPPER: stack.secrets.key_pepper,
    KINORA_MAIL_DIR: stack.mailDir,
    KINORA_MAIL_CONSOLE_URL: publicUrl(stack.consolePort),
  }),
  moderation: (stack) => ({
    DATABASE_URL: stack.databaseUrls.moderation,
    KINORA_OBJECT_STORE_DIR: stack.objectStoreDir,
  }),
  catalog: (stack) => ({ DATABASE_URL: stack.databaseUrls.catalog }),
  'webhook-dispatcher': (stack) => ({ DATABASE_URL: stack.databaseUrls['webhook-dispatcher'] }),
  console: (stack, { publicPort }) => ({
    DATABASE_URL: stack.databaseUrls.console,
    KINORA_CONSOLE_ROLE: 'both',
    KINORA_CONSOLE_HOST: '127.0.0.1',
    KINORA_CONSOLE_PORT: String(publicPort),
    KINORA_CONSOLE_URL: publicUrl(stack.consolePort),
    KINORA_CONSOLE_GATEWAY_URL: publicUrl(stack.gatewayPort),
    KINORA_CONSOLE_SETUP_TOKEN: stack.secrets.console_setup_token,
  }),
  sandbox: () => ({}),
};

/** Jobs signs outputs; moderation recognises what jobs has signed. */
function credentialsOf(service: ServiceName, { authority }: StackSettings): Settings {
  const certificate = { KINORA_C2PA_CERTIFICATE: authority.certificatePem };
  if (service === 'jobs') return { ...certificate, KINORA_C2PA_KEY: authority.keyPem };
  return service === 'moderation' ? certificate : {};
}

/** Jobs signs addresses of files, and the gateway serves them. */
function signedFiles(stack: StackSettings): Settings {
  return {
    KINORA_OBJECT_STORE_DIR: stack.objectStoreDir,
    KINORA_PUBLIC_URL: publicUrl(stack.gatewayPort),
    KINORA_URL_SIGNING_KEY: stack.secrets.url_signing_key,
  };
}
