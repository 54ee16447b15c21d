import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '@kinora/service-kit';
import { parse } from 'yaml';
import { NODE_ENVIRONMENT, nodeArguments } from '../../deploy/local/service-process';
import { configClasses, serviceSettings } from '../../deploy/build/generate/chart/service-settings';
import { ROOT } from '../../deploy/build/source-files';

interface ComposeService {
  image: string;
  build?: object;
  command?: string[];
  networks?: string[];
  environment?: Record<string, unknown>;
}

interface Compose {
  services: Record<string, ComposeService>;
}

const read = (file: string): string => readFileSync(path.join(ROOT, 'deploy/docker', file), 'utf8');
const dockerfile = read('Dockerfile');

/** As compose reads `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
function interpolated(environment: Record<string, unknown>, given: Record<string, string>): NodeJS.ProcessEnv {
  const valueOf = (_: string, name: string, operator: string, rest: string): string => {
    const value = given[name] ?? '';
    if (value === '' && operator === ':?') throw new Error(`${name} is missing: ${rest}`);
    return value === '' && operator === ':-' ? rest : value;
  };
  const fill = (value: unknown): string => String(value).replace(/\$\{(\w+)(:[-?])?([^}]*)\}/g, valueOf);
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
}

describe('Dockerfile', () => {
  it('pins its base, and fetches nothing else but locked packages, without their install scripts', () => {
    expect(dockerfile).toMatch(/^ARG BASE=node:\d+\.\d+\.\d+[\w.-]*@sha256:[a-f0-9]{64}$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(['${BASE}']));
    expect(dockerfile).not.toMatch(/^ADD |^RUN .*\b(sudo|curl|wget)\b/m);
    const installs = dockerfile.match(/\bnpm (ci|i|install)\b.*/g) ?? [];
    expect(installs.length).toBeGreaterThan(1);
    expect(installs.filter((install) => !/^npm ci .*--ignore-scripts/.test(install))).toEqual([]);
  });

  it('makes an image without secrets, whose user is a number that is not root, and which forwards signals', () => {
    expect(dockerfile).not.toMatch(/^(ENV|ARG) .*(PASSWORD|SECRET|TOKEN|_KEY)\b/m);
    const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(image.match(/^USER .*$/gm)).toEqual([expect.stringMatching(/^USER [1-9]\d*:[1-9]\d*$/)]);
    expect(image).toMatch(/^HEALTHCHECK /m);
    expect(image.match(/^(CMD|ENTRYPOINT) .*$/gm)).toEqual([expect.stringMatching(/^CMD \[/)]);
    for (const label of ['title', 'description', 'version', 'revision', 'created', 'base.name'])
      expect(image).toContain(`org.opencontainers.image.${label}=`);
  });
});

describe('image', () => {
  it('runs Node as a stack on one machine does', () => {
    const [, ...settings] = /^ENV (MALLOC_ARENA_MAX)=(\S+)\s+\\\n\s+(NODE_OPTIONS)="(.*)"$/m.exec(dockerfile) ?? [];
    const options = nodeArguments('/app/dist').join(' ').replace('--require ', '--require=');
    expect(settings).toEqual([...Object.entries(NODE_ENVIRONMENT).flat(), 'NODE_OPTIONS', options]);
  });
});

describe('compose file', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;

  it('pins every image of others by version and digest', () => {
    const others = Object.values(services).flatMap(({ image, build }) => (build ? [] : [image]));
    expect(others).toHaveLength(3);
    expect(others.filter((image) => !/:[\w.-]*\d[\w.-]*@sha256:[a-f0-9]{64}$/.test(image))).toEqual([]);
  });

  it('lets only the services with its credentials, and the reader of links, reach the object store', () => {
    const reaching = Object.entries(services).filter(([, { networks }]) => networks?.includes('objects'));
    const knowing = Object.entries(services).filter(
      ([, { environment = {} }]) => 'KINORA_S3_ENDPOINT' in environment || 'KINORA_CONSOLE_FILE_ORIGINS' in environment,
    );
    expect(reaching.map(([name]) => name).toSorted()).toEqual([...knowing.map(([name]) => name), 'objects'].toSorted());
  });

  it('gives every service the settings that it reads, and no other', async () => {
    const settings = await serviceSettings();
    const programs = Object.entries(settings).filter(([program]) => program !== 'cli');
    expect(programs.map(([program]) => program).filter((program) => !(program in services))).toEqual([]);
    for (const [program, known] of programs) {
      const { command, environment = {} } = services[program] ?? {};
      expect(command?.at(-1)).toBe(`dist/apps/${program}/src/main.js`);
      const unknown = Object.keys(environment).filter((name) => !known.some(({ env }) => env === name));
      const missing = known.filter(({ env, isRequired }) => isRequired && !(env in environment)).map(({ env }) => env);
      expect({ program, unknown, missing }).toEqual({ program, unknown: [], missing: [] });
    }
  });

  it('gives every service values that it accepts, with the five of the guide alone and with those of production', async () => {
    const five = {
      KINORA_PASSWORD: 'k0123456789abcdef',
      KINORA_URL_SIGNING_KEY: 'a'.repeat(64),
      KINORA_KEY_PEPPER: 'b'.repeat(64),
      KINORA_RECEIPT_KEY: 'c'.repeat(64),
      KINORA_QUOTE_KEY: 'd'.repeat(64),
    };
    const stripe = { KINORA_PAYMENTS: 'stripe', KINORA_STRIPE_SECRET_KEY: 'sk_test_1' };
    const classes = await configClasses();
    for (const given of [five, { ...five, ...stripe, KINORA_PROFILE: 'production' }])
      for (const [program, configs] of Object.entries(classes)) {
        const environment = interpolated(services[program]?.environment ?? {}, given);
        for (const config of configs) expect(() => loadConfig(config, environment)).not.toThrow();
      }
  });
});
