import { stringify } from 'yaml';
import type { GeneratedFiles } from '../generated-files';
import { MONEY_AND_SAFETY } from './rules/money-and-safety';
import { OBJECTIVES, OBJECTIVE_GROUPS } from './rules/objectives';
import { PROCESSES } from './rules/processes';
import type { Alert, Recording, RuleGroup } from './rules/rule';
import { WORK } from './rules/work';

export const RULE_GROUPS: RuleGroup[] = [...OBJECTIVE_GROUPS, ...MONEY_AND_SAFETY, ...WORK, ...PROCESSES];

export const ALERTS_FILE = 'deploy/helm/kinora/files/alerts.yaml';
export const RUNBOOK = 'docs/runbook.md';

const HEADER =
  '# Objectives and alerts: written by `npm run generate` from deploy/build/generate/telemetry/rules, never edited.\n';

const INTRODUCTION = `# Runbook

<!-- Written by \`npm run generate\` from deploy/build/generate/telemetry/rules; never edited. -->

One section for each alert of [alerts.yaml](../deploy/helm/kinora/files/alerts.yaml), which the chart installs by
\`metrics.prometheusRule.enabled\`. The dashboards that it speaks of come by \`metrics.dashboards.enabled\`; what each metric tells stands
in [metrics](metrics.md). **Critical** wakes somebody up, **warning** is looked at in working hours.

## Objectives

Over thirty days:

${OBJECTIVES.map(({ promise }) => `- ${promise}`).join('\n')}
- the ledger always adds up
- the moderation gate always blocks its canaries

An objective allows a few failures. Its first alert says that they are being used up in two to five days, by two windows each: the long
one says that it matters, the short one that it still goes on. The second one says that they will not last the month.
`;

/** The rules for Prometheus, and the pages that tell what to do. */
export async function alertsFiles(): Promise<GeneratedFiles> {
  const groups = RULE_GROUPS.map(({ name, rules }) => ({ name, rules: rules.map(toRule) }));
  const sections = RULE_GROUPS.flatMap(({ rules }) => rules.filter((rule) => 'severity' in rule)).map(toSection);
  return {
    [ALERTS_FILE]: HEADER + stringify({ groups }, { lineWidth: 0, singleQuote: true }),
    [RUNBOOK]: [INTRODUCTION, ...sections].join('\n'),
  };
}

function toRule(rule: Alert | Recording): object {
  if ('record' in rule) return rule;
  const { name, expr, for: since, severity, summary } = rule;
  return {
    alert: name,
    expr,
    ...(since === undefined ? {} : { for: since }),
    labels: { severity },
    annotations: { summary, runbook_url: `${RUNBOOK}#${name.toLowerCase()}` },
  };
}

function toSection({ name, severity, summary, runbook }: Alert): string {
  return [`## ${name}`, '', `**${severity === 'critical' ? 'Critical' : 'Warning'}.** ${summary}`, '']
    .concat(runbook.flatMap((paragraph) => [paragraph, '']))
    .join('\n');
}
