import { rpc } from '../shared/contract';

/** One thing that an operator may owe to the law, and how it stands here. */
export interface ComplianceLine {
  subject: string;
  /** How it stands, in words. */
  state: string;
  /** Whether it is set up. */
  is_set: boolean;
  /** What it is for, in one sentence. */
  purpose: string;
}

/** The subject of the line that names the engines of each kind of content. */
export const MODERATION_LINE = 'Moderation';

export interface ComplianceReport {
  lines: ComplianceLine[];
  /** The page that maps duties to settings. */
  guide: string;
}

export const complianceRpc = {
  /** What marks, recognises and judges outputs. No legal advice. */
  show: rpc<Record<string, never>, ComplianceReport>('moderation.v1.show_compliance', {}),
} as const;
