import type { ReplayedChange, ReplayedVerdict } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { RecordedFinding } from '../decision/decision.entity';
import type { DecisionRow } from '../decision/decision.row';
import { type ContentKind, type EnginePolicy, findExceeded, modelOfVersion } from '../judging/engine-policy';
import { ENGINES_WITHOUT_SCORES } from '../judging/engine';

/** A decision as recorded; a null field did not exist when the decision was made. */
export type RecordedDecision = Pick<DecisionRow, 'stage' | 'verdict' | 'engine' | 'reason' | 'content_sha256'> & {
  [Field in 'texts' | 'engines' | 'findings']: DecisionRow[Field] | null;
};

/** The verdict under another policy, and the engine that causes it; `unknown` where the record is not sufficient. */
interface ReplayedDecision {
  verdict: ReplayedVerdict;
  engine: string | null;
  reason: string | null;
}

/** One engine's opinion of one piece of content under the policy. */
type Outcome = { is: 'fine' } | { is: 'objection' | 'unknown'; engine: string; reason: string };

type Recorded = RecordedDecision & { [Field in 'texts' | 'engines' | 'findings']: DecisionRow[Field] };

const FINE: Outcome = { is: 'fine' };

/**
 * The verdict of the gate under other engines and thresholds, from the recorded scores. Objections of rules, hashes and an
 * engine's own verdict stay as they are, because no content is kept that could be judged again.
 */
export function replayDecision(decision: RecordedDecision, policy: readonly EnginePolicy[]): ReplayedDecision {
  if (!isComplete(decision)) return { verdict: 'unknown', engine: null, reason: 'not_recorded' };
  const outcomes = [
    ...decision.findings.filter(({ engine }) => ENGINES_WITHOUT_SCORES.includes(engine)).map(asRecorded),
    ...decision.content_sha256.flatMap((sha256, index) => {
      const judged = index < decision.texts ? 'text' : 'image';
      const requested = policy.filter(({ id, judges }) => judges.includes(judged) && isReplayed(decision, id));
      return requested.map((engine) => replayEngine(decision, engine, sha256, judged));
    }),
  ];
  const decisive = find(outcomes, 'objection') ?? find(outcomes, 'unknown');
  if (!decisive) return { verdict: 'passed', engine: null, reason: null };
  const { is, engine, reason } = decisive;
  return { verdict: is === 'objection' ? 'blocked' : 'unknown', engine, reason };
}

function isComplete(decision: RecordedDecision): decision is Recorded {
  return decision.texts !== null && decision.engines !== null && decision.findings !== null;
}

/** A decision that was made before the built-in image engine existed stays as it was. */
function isReplayed({ engines }: Recorded, id: string): boolean {
  return id !== 'local' || engines[id] !== undefined;
}

function asRecorded({ engine, objection }: RecordedFinding): Outcome {
  return objection === null ? FINE : { is: 'objection', engine, reason: objection };
}

function replayEngine(decision: Recorded, policy: EnginePolicy, sha256: string, judged: ContentKind): Outcome {
  const unknown = (reason: string): Outcome => ({ is: 'unknown', engine: policy.id, reason });
  const version = decision.engines[policy.id];
  if (version === undefined) return unknown('engine_was_not_asked');
  if (modelOfVersion(version) !== policy.model) return unknown('another_model_was_asked');
  const findings = decision.findings.filter((found) => found.engine === policy.id && found.content_sha256 === sha256);
  if (findings.length === 0) return unknown('engine_has_not_answered');
  const outcomes = findings.map((finding) => replayFinding(decision, policy, finding, judged));
  return find(outcomes, 'objection') ?? find(outcomes, 'unknown') ?? FINE;
}

function replayFinding(
  decision: Recorded,
  { id, thresholds }: EnginePolicy,
  found: RecordedFinding,
  judged: ContentKind,
): Outcome {
  const { objection, by_threshold: isByThreshold, scores, content } = found;
  if (objection !== null && isByThreshold !== true) return { is: 'objection', engine: id, reason: objection };
  const exceeded = findExceeded(scores, thresholds[judged]);
  if (exceeded !== null) return { is: 'objection', engine: id, reason: exceeded };
  const unknown = (reason: string): Outcome => ({ is: 'unknown', engine: id, reason });
  if (Object.keys(thresholds[judged]).some((category) => scores[category] === undefined))
    return unknown('no_such_score_on_record');
  // The gate stops at the first blocked frame, so the findings of later frames are not recorded.
  if (content === 'video' && decision.verdict === 'blocked') return unknown('video_not_seen_to_its_end');
  return FINE;
}

function find(outcomes: readonly Outcome[], is: 'objection' | 'unknown'): Exclude<Outcome, { is: 'fine' }> | null {
  for (const outcome of outcomes) if (outcome.is !== 'fine' && outcome.is === is) return outcome;
  return null;
}

/** The number of example decisions for each kind of change. */
const MAX_NAMED = 5;

export type ReplayableDecision = RecordedDecision & { decision_id: string };

/** The changes, counted by stage, engine and reason; unchanged decisions are left out. */
export function countChanges(
  decisions: readonly ReplayableDecision[],
  policy: readonly EnginePolicy[],
): ReplayedChange[] {
  const changes = new Map<string, ReplayedChange>();
  for (const decision of decisions) {
    const replay = replayDecision(decision, policy);
    if (replay.verdict === decision.verdict) continue;
    const change = toChange(decision, replay);
    const key = JSON.stringify(change);
    const known = changes.get(key) ?? { ...change, decisions: 0, decision_ids: [] };
    known.decisions += 1;
    if (known.decision_ids.length < MAX_NAMED) known.decision_ids.push(decision.decision_id);
    changes.set(key, known);
  }
  return [...changes.values()];
}

/** The engine that would block now, or that blocked before; or why the record cannot show it. */
function toChange(
  decision: RecordedDecision,
  { verdict, engine, reason }: ReplayedDecision,
): Omit<ReplayedChange, 'decisions' | 'decision_ids'> {
  const cause = verdict === 'passed' ? decision : { engine, reason };
  return { stage: decision.stage, from: decision.verdict, to: verdict, engine: cause.engine, reason: cause.reason };
}
