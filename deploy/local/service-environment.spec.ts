import { serviceEnvironment } from './service-environment';
import { planInstances, type ServiceName } from './service-instance';

const STACK = {
  natsUrl: 'nats://127.0.0.1:4222',
  databaseUrls: {
    jobs: 'postgres://kinora_x_jobs@db/x',
    billing: 'postgres://kinora_x_billing@db/x',
    moderation: 'postgres://kinora_x_moderation@db/x',
    catalog: 'postgres://kinora_x_catalog@db/x',
    'webhook-dispatcher': 'postgres://kinora_x_webhook_dispatcher@db/x',
    console: 'postgres://kinora_x_console@db/x',
  },
  gatewayPort: 8080,
  consolePort: 8081,
  sandboxPort: 20_500,
  configDir: '/data/config',
  objectStoreDir: '/data/objects',
  mailDir: '/data/mail',
  secrets: {
    postgres_password: 'p',
    role_password_seed: 'r',
    url_signing_key: 's',
    key_pepper: 'k',
    receipt_key: 'e',
    quote_key: 'q',
    console_setup_token: 't',
  },
  authority: { certificatePem: 'certificate', keyPem: 'key' },
};
const INHERITED = {
  DATABASE_URL: 'postgres://administrator@db/x',
  NATS_URL_FILE: '/secrets/nats',
  KINORA_EGRESS_ALLOW: '127.0.0.1:9000',
};

function environmentsOf(service: ServiceName, replicas = {}, inherited = INHERITED): NodeJS.ProcessEnv[] {
  const ports = Array.from({ length: 100 }, (_, index) => 20_000 + index);
  const instances = planInstances(replicas, { gateway: 8080, console: 8081 }, ports).filter(
    (instance) => instance.service === service,
  );
  return instances.map((instance) => serviceEnvironment(instance, STACK, inherited));
}

describe('environment of a service', () => {
  it.each(Object.entries(STACK.databaseUrls))('connects %s as its own role', (context, url) => {
    expect(environmentsOf(context as ServiceName)).toMatchObject([{ DATABASE_URL: url }]);
  });

  it.each(['gateway', 'sandbox'] as const)("removes the administrator's database address from the %s", (service) => {
    expect(environmentsOf(service)[0]).not.toHaveProperty('DATABASE_URL');
  });

  it('has each secret once: a file given to the launcher is not passed on as a file as well', () => {
    expect(environmentsOf('jobs')[0]).toMatchObject({ NATS_URL: 'nats://127.0.0.1:4222' });
    expect(environmentsOf('jobs')[0]).not.toHaveProperty('NATS_URL_FILE');
  });

  it('gives the key of the content credentials to jobs alone, unless the launcher has one', () => {
    expect(environmentsOf('jobs')[0]).toMatchObject({ KINORA_C2PA_CERTIFICATE: 'certificate', KINORA_C2PA_KEY: 'key' });
    expect(environmentsOf('moderation')[0]).not.toHaveProperty('KINORA_C2PA_KEY');
    const own = { ...INHERITED, KINORA_C2PA_CERTIFICATE_FILE: '/secrets/chain.pem' };
    expect(environmentsOf('jobs', {}, own)[0]).not.toHaveProperty('KINORA_C2PA_KEY');
  });

  it('contains the environment of the launcher', () => {
    expect(environmentsOf('webhook-dispatcher')).toMatchObject([{ KINORA_EGRESS_ALLOW: '127.0.0.1:9000' }]);
  });

  it("gives every gateway the same signing key, and the first gateway's address as that of the service", () => {
    const signed = { KINORA_URL_SIGNING_KEY: 's', KINORA_PUBLIC_URL: 'http://127.0.0.1:8080' };
    const [first, second] = environmentsOf('gateway', { gateway: 2 });
    expect(first).toMatchObject({ ...signed, KINORA_PORT: '8080' });
    expect(second).toMatchObject(signed);
    expect(second?.KINORA_PORT).not.toBe('8080');
    expect(environmentsOf('jobs')).toMatchObject([{ ...signed, KINORA_SANDBOX_URL: 'http://127.0.0.1:20500' }]);
  });
});
