import { v7 as uuidv7 } from 'uuid';
import type { Verdict } from '../gate/gate';
import { ENGINES_WITHOUT_SCORES, type Finding } from '../judging/engine';
import type { RecordedFinding } from './decision.entity';

/** The job whose content was judged, and the stage. */
export interface ScreenedJob {
  account_id: string;
  job_id: string;
  stage: 'input' | 'output';
}

export interface DecisionRow extends ScreenedJob {
  id: string;
  verdict: 'passed' | 'blocked';
  engine: string | null;
  reason: string | null;
  /** Hashes of the texts first. */
  content_sha256: readonly string[];
  /** How many pieces of the content were texts; the others were images and videos. */
  texts: number;
  policy_version: string;
  engines: Readonly<Record<string, string>>;
  findings: readonly RecordedFinding[];
}

export function toDecisionRow({ account_id, job_id, stage }: ScreenedJob, verdict: Verdict): DecisionRow {
  const { engine, reason } = verdict.outcome === 'blocked' ? verdict.objection : { engine: null, reason: null };
  const { contentSha256, texts, policyVersion, engines, findings } = verdict.judgement;
  return {
    id: uuidv7(),
    account_id,
    job_id,
    stage,
    verdict: verdict.outcome,
    engine,
    reason,
    content_sha256: contentSha256,
    texts,
    policy_version: policyVersion,
    engines,
    findings: findings.filter(isKept).map(toRecordedFinding),
  };
}

/** The answer of an engine with scores is stored even without an objection: a missing row then shows that the engine failed. */
function isKept({ engine, opinion }: Finding): boolean {
  const hasScores = Object.keys(opinion.scores).length > 0;
  return opinion.objection !== null || hasScores || !ENGINES_WITHOUT_SCORES.includes(engine);
}

function toRecordedFinding({ content, contentSha256, engine, opinion }: Finding): RecordedFinding {
  return {
    content,
    content_sha256: contentSha256,
    engine,
    objection: opinion.objection,
    by_threshold: opinion.isByThreshold ?? false,
    scores: { ...opinion.scores },
  };
}
