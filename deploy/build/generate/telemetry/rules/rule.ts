/** A critical alert pages the operator at any time; a warning can wait for working hours. */
export type Severity = 'critical' | 'warning';

export interface Alert {
  name: string;
  /** With `THRESHOLD` where the chart writes the limit. */
  expr: string;
  /** The default limit, which the value `metrics.prometheusRule.thresholds` of the alert's name replaces. */
  threshold?: { limit: number; unit: string };
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

/** Stands in an expression for the limit of its alert. */
export const THRESHOLD = '__THRESHOLD__';

/** A vector with a sample for each service that the chart installs with at least one replica; the chart writes it. */
export const SERVICES = '__SERVICES__';

/** The release's namespace, which the chart sets. */
export const HERE = 'namespace="__NAMESPACE__"';
