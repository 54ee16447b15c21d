import type { ChoiceSupport, SupportedChoices, TaskChoice, TaskFacts } from './compute-provider.port';

/** Null, or why a template cannot run a task exactly because of one choice. */
export type ChoiceCheck<Template> = (template: Template, task: TaskFacts) => string | null;

/**
 * For each choice of a client, the check that refuses a task, or how the choice is supported without one. An adapter with
 * templates of the operator declares its support and refuses tasks from this one table, so that neither lacks a choice.
 */
export type ChoiceRules<Template> = Readonly<
  Record<TaskChoice, ChoiceCheck<Template> | Exclude<ChoiceSupport, 'or_refused'>>
>;

export function toSupportedChoices<Template>(rules: ChoiceRules<Template>): SupportedChoices {
  const entries = Object.entries(rules).map(([choice, rule]) => [
    choice,
    typeof rule === 'function' ? 'or_refused' : rule,
  ]);
  return Object.fromEntries(entries) as SupportedChoices;
}

/** The reason of the first check that refuses the task; null where none does. */
export function findUnsupportedChoice<Template>(
  rules: ChoiceRules<Template>,
  template: Template,
  task: TaskFacts,
): string | null {
  for (const rule of Object.values(rules)) {
    const unsupported = typeof rule === 'function' ? rule(template, task) : null;
    if (unsupported !== null) return unsupported;
  }
  return null;
}
