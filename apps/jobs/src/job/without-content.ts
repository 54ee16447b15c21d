import type { JobInput } from '@kinora/contracts/jobs/job';
import { isRecord } from '@kinora/contracts/shared/is-record';
import type { PlannedLora } from '../model/resolve-loras';
import { type ContentRule, contentRulesOf, isKept } from './content-fields';
import type { JobPlan, JobRow } from './job.entity';

/** What is left of a job without the texts and addresses of its client, by the rules of `CONTENT_FIELDS`. */
export function withoutContent({ kind, input, plan }: Pick<JobRow, 'kind' | 'input' | 'plan'>): {
  input: JobInput;
  plan: JobPlan;
} {
  const rules = contentRulesOf(kind);
  return {
    input: leftOf(input, rules) as JobInput,
    plan: { ...plan, loras: plan.loras.map(leftOfLora) },
  };
}

function leftOf(fields: object, rules: Readonly<Record<string, ContentRule>>): object {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => leftOfField(name, value, rules[name])));
}

function leftOfField(name: string, value: unknown, rule: ContentRule = 'removed'): [string, unknown][] {
  if (rule === 'removed') return [];
  if (rule === 'emptied') return [[name, '']];
  if (isKept(rule)) return [[name, value]];
  const items: unknown[] = Array.isArray(value) ? value : [];
  return [[name, items.filter(isRecord).map((item) => leftOf(item, rule))]];
}

/** The files of a LoRA with an id are the operator's; without one, the client gave their addresses. */
function leftOfLora(lora: PlannedLora): PlannedLora {
  return lora.id === undefined ? { strength: lora.strength } : lora;
}
