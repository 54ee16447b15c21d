import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './source-files';

/** What Prometheus evaluates: a recording, or an alert. In an alert's expression `__Name__` stands for the limit that the chart writes. */
export interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: { summary: string };
}

/** An alert with a limit that operators can change. */
export interface Limit {
  alert: string;
  summary: string;
  /** The default and its unit, as the runbook states them. */
  limit: number;
  unit: string;
}

export const RUNBOOK = 'docs/runbook.md';
const CHART_FILES = 'deploy/helm/kinora/files';
const STATED = /Limit: (?<limit>[\d.]+) \((?<unit>[^)]+)\)\./;

export function ruleGroups(): { name: string; rules: Rule[] }[] {
  return (parse(read(`${CHART_FILES}/alerts.yaml`)) as { groups: { name: string; rules: Rule[] }[] }).groups;
}

export function limits(): Limit[] {
  const sections = read(RUNBOOK).split(/^## /m);
  return ruleGroups()
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert = '', expr, annotations }) => {
      if (alert === '' || !expr.includes(`__${alert}__`)) return [];
      const section = sections.find((text) => text.startsWith(`${alert}\n`)) ?? '';
      const { limit, unit } = STATED.exec(section)?.groups ?? {};
      if (limit === undefined || unit === undefined) throw new Error(`${RUNBOOK} states no limit of ${alert}.`);
      return [{ alert, summary: annotations?.summary ?? '', limit: Number(limit), unit }];
    });
}

export function dashboards<Dashboard>(): Dashboard[] {
  const folder = `${CHART_FILES}/dashboards`;
  return readdirSync(path.join(ROOT, folder)).map((file) => JSON.parse(read(`${folder}/${file}`)) as Dashboard);
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
