/** Critical pages the operator at any time; a warning can wait for working hours. */
export type Severity = 'critical' | 'warning';

export interface Alert {
  name: string;
  expr: string;
  /** How long it must have been so. */
  for?: string;
  severity: Severity;
  /** One sentence: what is wrong, for whom. */
  summary: string;
  /** What it means, and what to do; paragraphs of Markdown for the runbook. */
  runbook: string[];
}

export interface Recording {
  record: string;
  expr: string;
}

export interface RuleGroup {
  name: string;
  rules: (Alert | Recording)[];
}

/** The release's namespace, which the chart fills in. */
export const HERE = 'namespace="__NAMESPACE__"';
