import { stringify } from 'yaml';
import type { GeneratedFiles } from '../generated-files';
import { INCIDENTS, type Incident } from './rules/incidents';
import { MONEY_AND_SAFETY } from './rules/money-and-safety';
import { OBJECTIVES, OBJECTIVE_GROUPS } from './rules/objectives';
import { PROCESSES } from './rules/processes';
import { RECOVERY } from './rules/recovery';
import { type Alert, type Recording, type RuleGroup, THRESHOLD } from './rules/rule';
import { WORK } from './rules/work';

export const RULE_GROUPS: RuleGroup[] = [...OBJECTIVE_GROUPS, ...MONEY_AND_SAFETY, ...WORK, ...PROCESSES];

export const ALERTS_FILE = 'deploy/helm/kinora/files/alerts.yaml';
export const RUNBOOK = 'docs/runbook.md';

const HEADER =
  '# Objectives and alerts: written by `npm run generate` from deploy/build/generate/telemetry/rules, never edited.\n';

const INTRODUCTION = `# Runbook

<!-- Written by \`npm run generate\` from deploy/build/generate/telemetry; never edited. -->

The sections below are, after the objectives, one for each failure that shows in several alerts, and one for each alert of [alerts.yaml](../deploy/helm/kinora/files/alerts.yaml), which the chart installs by
\`metrics.prometheusRule.enabled\`. \`metrics.dashboards.enabled\` installs the dashboards that it names; [metrics](metrics.md) describes each
metric. A limit that a section names is a value of the chart,
\`metrics.prometheusRule.thresholds\`. A **critical** alert pages the operator at any time; a **warning** can wait for working hours.

## Objectives

Over thirty days:

${OBJECTIVES.map(({ promise }) => `- ${promise}`).join('\n')}
- the ledger always adds up
- the moderation gate always blocks its canaries

An objective has an error budget. Its first alert fires when the budget will be used up in two to five days. It has two windows: the long
one shows that the loss is large, the short one that it continues. The second alert fires when the budget will not last the month.
`;

/** The rules for Prometheus, and the runbook pages. */
export async function alertsFiles(): Promise<GeneratedFiles> {
  const groups = RULE_GROUPS.map(({ name, rules }) => ({ name, rules: rules.map(toRule) }));
  const sections = RULE_GROUPS.flatMap(({ rules }) => rules.filter((rule) => 'severity' in rule)).map(toSection);
  return {
    [ALERTS_FILE]: HEADER + stringify({ groups }, { lineWidth: 0, singleQuote: true }),
    [RUNBOOK]: [INTRODUCTION, ...sections, ...[...INCIDENTS, ...RECOVERY].map(toIncident)].join('\n'),
  };
}

function toRule(rule: Alert | Recording): object {
  if ('record' in rule) return rule;
  const { name, expr, for: since, severity, summary } = rule;
  return {
    alert: name,
    expr: expr.replaceAll(THRESHOLD, `__${name}__`),
    ...(since === undefined ? {} : { for: since }),
    labels: { severity },
    annotations: { summary, runbook_url: `${RUNBOOK}#${name.toLowerCase()}` },
  };
}

function toSection({ name, severity, summary, threshold, runbook }: Alert): string {
  const limit = threshold ? ` Limit: ${threshold.limit} (${threshold.unit}).` : '';
  return [`## ${name}`, '', `**${severity === 'critical' ? 'Critical' : 'Warning'}.** ${summary}${limit}`, '']
    .concat(runbook.flatMap((paragraph) => [paragraph, '']))
    .join('\n');
}

function toIncident({ title, signs, steps, over }: Incident): string {
  const numbered = steps.map((step, index) => `${index + 1}. ${step}${step.endsWith('```') ? '\n' : ''}`);
  const parts = [
    `## ${title}`,
    'What is seen:',
    ...signs,
    'What to do:',
    numbered.join('\n').trimEnd(),
    'It is over when:',
    ...over,
  ];
  return `${parts.join('\n\n')}\n`;
}
