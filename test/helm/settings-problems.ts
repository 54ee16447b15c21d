import { fileVariable } from '@kinora/service-kit';
import { type Container, type Manifest, podsOf, titleOf } from './manifest';
import type { ServiceSetting } from '../../deploy/build/generate/chart/service-settings';

/** `dist/apps/<program>/src/main.js` */
const PROGRAM = /^dist\/apps\/([a-z-]+)\/src\/main\.js$/;

/** The pods with variables that their program does not read, or without those that it needs. */
export function settingsProblems(manifests: Manifest[], settings: Record<string, ServiceSetting[]>): string[] {
  return podsOf(manifests).flatMap(({ owner, spec }) =>
    spec.containers.flatMap((container) => {
      const program = programOf(container);
      const problems = program === undefined ? [] : problemsOf(program, settings[program] ?? [], container);
      return problems.map((problem) => `${titleOf(owner)}: ${problem}`);
    }),
  );
}

function programOf({ command = [] }: Container): string | undefined {
  return command.map((word) => PROGRAM.exec(word)?.[1]).find((name) => name !== undefined);
}

function problemsOf(program: string, known: ServiceSetting[], { env = [] }: Container): string[] {
  const variables = new Set(known.map((setting) => setting.env));
  const files = new Map(
    known.filter(({ isSecret }) => isSecret).map((secret) => [fileVariable(secret.env), secret.env]),
  );
  const names = env.map(({ name }) => files.get(name) ?? name);
  const unknown = names.filter((name) => !variables.has(name) && !isForOperatorFiles(name, variables));
  const missing = known.filter((setting) => setting.isRequired && !names.includes(setting.env));
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...unknown.map((name) => `${program} has no setting ${name}.`),
    ...missing.map((setting) => `${program} needs ${setting.env}.`),
    ...repeated.map((name) => `${name} is set twice.`),
  ];
}

/** An operator's files may refer to any further variable as `${NAME}`. */
function isForOperatorFiles(name: string, variables: Set<string>): boolean {
  return variables.has('KINORA_CONFIG_DIR') && !/^(KINORA|JOBS|SANDBOX|DATABASE|NATS)_/.test(name);
}
