import { v7 as uuidv7 } from 'uuid';
import type { Verdict } from '../gate/gate';
import type { Finding } from '../gate/opinions';

/** Whose content was judged, and at which gate. */
export interface JudgedJob {
  account_id: string;
  job_id: string;
  stage: 'input' | 'output';
}

/** What an engine found of one piece of content; those that found nothing and score nothing are left out. */
export interface FindingRow {
  content: Finding['content'];
  content_sha256: string;
  engine: string;
  objection: string | null;
  scores: Record<string, number>;
}

export interface DecisionRow extends JudgedJob {
  id: string;
  verdict: 'passed' | 'blocked';
  engine: string | null;
  reason: string | null;
  content_sha256: readonly string[];
  policy_version: string;
  engines: Readonly<Record<string, string>>;
  findings: readonly FindingRow[];
}

export function toDecisionRow({ account_id, job_id, stage }: JudgedJob, verdict: Verdict): DecisionRow {
  const { engine, reason } = verdict.outcome === 'blocked' ? verdict.objection : { engine: null, reason: null };
  const { contentSha256, policyVersion, engines, findings } = verdict.judgement;
  return {
    id: uuidv7(),
    account_id,
    job_id,
    stage,
    verdict: verdict.outcome,
    engine,
    reason,
    content_sha256: contentSha256,
    policy_version: policyVersion,
    engines,
    findings: findings.filter(saysAnything).map(toFindingRow),
  };
}

function saysAnything({ opinion }: Finding): boolean {
  return opinion.objection !== null || Object.keys(opinion.scores).length > 0;
}

function toFindingRow({ content, contentSha256, engine, opinion }: Finding): FindingRow {
  return {
    content,
    content_sha256: contentSha256,
    engine,
    objection: opinion.objection,
    scores: { ...opinion.scores },
  };
}
