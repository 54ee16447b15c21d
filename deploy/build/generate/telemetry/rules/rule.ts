/** A critical alert pages the operator at any time; a warning can wait for working hours. */
export type Severity = 'critical' | 'warning';

export interface Alert {
  name: string;
  expr: string;
  /** How long the condition must hold. */
  for?: string;
  severity: Severity;
  /** One sentence: the problem, and its effect. */
  summary: string;
  /** The meaning and the actions to take; paragraphs of Markdown for the runbook. */
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

/** The release's namespace, which the chart sets. */
export const HERE = 'namespace="__NAMESPACE__"';
