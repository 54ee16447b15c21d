import type { RecordedFinding } from '../decision/decision.entity';
import { type EnginePolicy, versionOfEngine } from '../judging/engine-policy';
import { type RecordedDecision, replayDecision } from './replay-decision';

const PROMPT = 'a'.repeat(64);
const IMAGE = 'b'.repeat(64);

const policyOf = (text: Record<string, number>, image: Record<string, number> = {}): EnginePolicy => ({
  id: 'judge',
  model: 'some model',
  judges: ['text', 'image'],
  thresholds: { text, image },
});
const PAST = policyOf({ risk: 0.5 }, { risk: 0.5 });

const finding = (risk: number, more: Partial<RecordedFinding> = {}): RecordedFinding => ({
  content: 'text',
  content_sha256: PROMPT,
  engine: 'judge',
  objection: risk >= 0.5 ? 'risk' : null,
  by_threshold: risk >= 0.5,
  scores: { risk },
  ...more,
});

function decided(findings: RecordedFinding[], more: Partial<RecordedDecision> = {}): RecordedDecision {
  const objecting = findings.find(({ objection }) => objection !== null);
  return {
    stage: 'input',
    verdict: objecting ? 'blocked' : 'passed',
    engine: objecting?.engine ?? null,
    reason: objecting?.objection ?? null,
    content_sha256: [PROMPT],
    texts: 1,
    engines: { rules: '1', judge: versionOfEngine(PAST) },
    findings,
    ...more,
  };
}

const passed = { verdict: 'passed' };
const blocked = (reason: string, engine = 'judge') => ({ verdict: 'blocked', engine, reason });
const unknown = (reason: string, engine: string | null = 'judge') => ({ verdict: 'unknown', engine, reason });

describe('replay of a decision', () => {
  it('is unchanged under the policy that made it', () => {
    expect(replayDecision(decided([finding(0.4)]), [PAST])).toMatchObject(passed);
    expect(replayDecision(decided([finding(0.5)]), [PAST])).toMatchObject(blocked('risk'));
  });

  it('changes exactly at the threshold', () => {
    expect(replayDecision(decided([finding(0.4)]), [policyOf({ risk: 0.4 })])).toMatchObject(blocked('risk'));
    expect(replayDecision(decided([finding(0.5)]), [policyOf({ risk: 0.51 })])).toMatchObject(passed);
  });

  it('judges texts by the thresholds for texts, and images by those for images', () => {
    const both = decided([finding(0.4), finding(0.3, { content: 'image', content_sha256: IMAGE })], {
      content_sha256: [PROMPT, IMAGE],
    });

    expect(replayDecision(both, [policyOf({ risk: 0.5 }, { risk: 0.4 })])).toMatchObject(passed);
    expect(replayDecision(both, [policyOf({ risk: 0.5 }, { risk: 0.3 })])).toMatchObject(blocked('risk'));
  });

  it('keeps the objections of rules, hashes and the own verdict of an engine, whatever the thresholds', () => {
    const loose = policyOf({ risk: 1 });
    const own = decided([finding(0.9, { objection: 'scene', by_threshold: false })]);
    const rules = decided([finding(0.1), finding(0, { engine: 'rules', objection: 'test_text', by_threshold: false })]);

    expect(replayDecision(own, [loose])).toMatchObject(blocked('scene'));
    expect(replayDecision(rules, [loose])).toMatchObject(blocked('test_text', 'rules'));
    expect(replayDecision(rules, [])).toMatchObject(blocked('test_text', 'rules'));
  });

  it('leaves out an engine that the policy no longer has, or no longer uses for such content', () => {
    expect(replayDecision(decided([finding(0.9)]), [])).toMatchObject(passed);
    expect(replayDecision(decided([finding(0.9)]), [{ ...PAST, judges: ['image'] }])).toMatchObject(passed);
  });

  it.each<[string, RecordedDecision, EnginePolicy, object]>([
    ['an engine that was not asked', decided([]), { ...PAST, id: 'new' }, unknown('engine_was_not_asked', 'new')],
    ['another model', decided([finding(0.1)]), { ...PAST, model: 'newer' }, unknown('another_model_was_asked')],
    ['an engine that failed', decided([]), PAST, unknown('engine_has_not_answered')],
    [
      'a score of a name that is not there',
      decided([finding(0.1)]),
      policyOf({ x: 1 }),
      unknown('no_such_score_on_record'),
    ],
    [
      'the frames of a video after the blocked one',
      decided([finding(0.6, { content: 'video' })], { stage: 'output', texts: 0 }),
      policyOf({}, { risk: 0.8 }),
      unknown('video_not_seen_to_its_end'),
    ],
    [
      'a decision without recorded findings',
      decided([finding(0.1)], { texts: null }),
      PAST,
      unknown('not_recorded', null),
    ],
  ])('is unknown for %s', (_what, decision, policy, expected) => {
    expect(replayDecision(decision, [policy])).toMatchObject(expected);
  });

  it('is blocked for a known objection although another result is unknown', () => {
    const decision = decided([finding(0.9)]);

    expect(replayDecision(decision, [{ ...PAST, id: 'new' }, PAST])).toMatchObject(blocked('risk'));
  });
});
