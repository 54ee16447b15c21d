import type { ProbeReport } from '../compute-provider.port';
import type { ModelTemplate } from '../hosted-model/model-template';
import { NONE } from '../hosted-model/template-problem';
import { isRecord } from '../http/json-answer';

const PROBLEMS: Record<string, [state: ProbeReport['state'], problem: string]> = {
  STARTING: ['degraded', 'The model is still being set up.'],
  SETUP_FAILED: ['down', "The model's setup() has failed; its log is in GET /health-check."],
  DEFUNCT: ['down', 'The container has failed permanently: restart it.'],
  UNHEALTHY: ['down', "The model's own healthcheck() fails."],
};

/** The answer of `GET /health-check`, whose status is always 200. */
export function toHealthReport(health: unknown): ProbeReport {
  if (!isRecord(health) || typeof health['status'] !== 'string')
    return {
      state: 'down',
      problems: [
        'The backend does not answer GET /health-check as Cog does: check the url and the type of the instance.',
      ],
    };
  const [state, problem] = PROBLEMS[health['status']] ?? ['up', null];
  const { version } = health;
  const cog = isRecord(version) ? (version['cog'] ?? version['coglet']) : undefined;
  return {
    state,
    ...(typeof cog === 'string' ? { version: cog.slice(0, 50) } : {}),
    ...(health['status'] === 'BUSY' ? { freeSlots: 0 } : {}),
    problems: problem === null ? [] : [problem],
  };
}

/** Fields in which a template and the model's input schema (`GET /openapi.json`) disagree. */
export function findInputProblems(openapi: unknown, templates: ReadonlyMap<string, ModelTemplate>): string[] {
  const input = at(openapi, 'components', 'schemas', 'Input');
  const properties = at(input, 'properties');
  if (!isRecord(properties)) return ['The container does not describe its input in GET /openapi.json.'];
  const required = isRecord(input) && Array.isArray(input['required']) ? input['required'] : [];
  return [...templates].flatMap(([name, template]) => {
    const sent = sentFields(template);
    const unknown = sent.filter((field) => !Object.hasOwn(properties, field));
    const missing = required.filter((field): field is string => typeof field === 'string' && !sent.includes(field));
    return [
      ...unknown.map((field) => `The template ${name} sends ${field}, which the model does not take.`),
      ...missing.map((field) => `The template ${name} does not send ${field}, which the model needs.`),
    ];
  });
}

function sentFields({ fields, fixed, sizes, loras }: ModelTemplate): string[] {
  const ofParts = Object.values(fields).filter((field) => typeof field === 'string' && field !== NONE) as string[];
  const ofSizes = Object.values(sizes).flatMap((input) => Object.keys(isRecord(input) ? input : {}));
  const ofLoras = [
    loras?.list?.field ?? [],
    ...(loras?.slots ?? []).map((slot) => Object.values(slot) as string[]),
  ].flat();
  const paths = [...ofParts, ...Object.keys(fixed), ...ofSizes, ...ofLoras];
  return [...new Set(paths.map((path) => path.split('.')[0] ?? path))];
}

function at(value: unknown, ...names: string[]): unknown {
  return names.reduce((inner: unknown, name) => (isRecord(inner) ? inner[name] : undefined), value);
}
