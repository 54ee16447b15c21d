import { v7 as uuidv7 } from 'uuid';
import type { ReplayedChange } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { DecisionRepository } from '../src/decision/decision.repository';
import { httpAnswering } from './engine-answers.fixtures';
import { FakeEngine } from './fake-engine.fixtures';
import { gateOf } from './gate.fixtures';
import { migrations } from '../src/migrations/migrations';
import { ModerationConfig } from '../src/moderation.config';
import { RecordedDecisionRepository } from '../src/replay/recorded-decision.repository';
import { TEST_TEXT } from '../src/text/lexicon';
import { ReplayPolicy } from '../src/use-cases/replay-policy.query';

/** More than one page. */
const PASSED = 1_005;

describe('replay of a policy over the decisions on record', () => {
  let fake: FakeEngine;
  let database: TestDatabase;
  let replayPolicy: ReplayPolicy;
  const policyOf = (threshold: number, id = 'judge') =>
    `engines: [{ type: http, id: ${id}, url: "${fake.url}", judges: [text], thresholds: { text: { risk: ${threshold} } } }]`;

  beforeAll(async () => {
    fake = await FakeEngine.start();
    database = await createTestDatabase('moderation', migrations);
    replayPolicy = new ReplayPolicy(new RecordedDecisionRepository(database.database), new ModerationConfig());
    await makeDecisions();
  });

  afterAll(async () => {
    await database.close();
    await fake.close();
  });

  /** Decisions that passed with a risk of 0.3, and decisions blocked at 0.6, by the classifier itself, and by the rules. */
  async function makeDecisions(): Promise<void> {
    const gate = await gateOf(policyOf(0.5));
    const decisions = new DecisionRepository(database.database);
    const judged = { account_id: uuidv7(), job_id: uuidv7(), stage: 'input' } as const;
    const judge = async (text: string, answer: Record<string, unknown>) => {
      fake.answer = httpAnswering(answer);
      const verdict = await gate.judge({ texts: [{ param: 'prompt', text }], images: [] });
      if (verdict.outcome === 'blocked')
        return void (await decisions.recordBlocked(database.database, judged, verdict));
      await Promise.all(Array.from({ length: PASSED }, () => decisions.recordPassed(judged, verdict)));
    };
    await judge('a red boat', { scores: { risk: 0.3 } });
    await judge('a blue boat', { scores: { risk: 0.6 } });
    await judge('a green boat', { verdict: 'blocked', reason: 'scene', scores: { risk: 0.9 } });
    await judge(TEST_TEXT, { scores: { risk: 0.1 } });
  }

  /** All pages together; the ids of each kind are counted. */
  async function replay(policy: string, since?: string) {
    const changes: Omit<ReplayedChange, 'decision_ids'>[] = [];
    let checked = 0;
    let pages = 0;
    for (let before: string | null | undefined; before !== null; pages += 1) {
      const page = await replayPolicy.execute({
        policy,
        ...(since !== undefined && { since }),
        ...(before !== undefined && { before_decision_id: before }),
      });
      checked += page.checked;
      changes.push(...page.changes.map(({ decision_ids: _ids, ...change }) => change));
      before = page.next_before_decision_id;
    }
    return { checked, pages, changes };
  }

  const turned = (from: string, to: string, engine: string | null, reason: string | null, decisions: number) => ({
    ...{ stage: 'input', from, to, engine, reason, decisions },
  });

  it('changes no decision under the policy that made them, over all pages', async () => {
    expect(await replay(policyOf(0.5))).toEqual({ checked: PASSED + 3, pages: 2, changes: [] });
  });

  it('reports what a stricter threshold would block and a looser one would pass, by engine, reason and stage', async () => {
    expect((await replay(policyOf(0.2))).changes).toEqual([
      turned('passed', 'blocked', 'judge', 'risk', 997),
      turned('passed', 'blocked', 'judge', 'risk', PASSED - 997),
    ]);
    expect((await replay(policyOf(0.8))).changes).toEqual([turned('blocked', 'passed', 'judge', 'risk', 1)]);
    const { changes } = await replayPolicy.execute({ policy: policyOf(0.2) });
    expect(changes[0]?.decision_ids).toHaveLength(5);
  });

  it('reports the changes without an engine, and the decisions that are unknown', async () => {
    expect((await replay('engines: []')).changes).toEqual([
      turned('blocked', 'passed', 'judge', 'scene', 1),
      turned('blocked', 'passed', 'judge', 'risk', 1),
    ]);
    expect((await replay(policyOf(0.5, 'new'))).changes[0]).toEqual(
      turned('blocked', 'unknown', 'new', 'engine_was_not_asked', 2),
    );
  });

  it('reads no further back than `since`, and names the error in a policy or a time', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(await replay(policyOf(0.2), tomorrow)).toEqual({ checked: 0, pages: 1, changes: [] });
    await expect(replay('engines: []\nrules: { off: true }')).rejects.toMatchObject({
      code: 'invalid_body',
      param: 'policy',
      message: 'policy:2: rules.off: property off should not exist',
    });
    await expect(replay(policyOf(0.2), 'yesterday')).rejects.toMatchObject({ code: 'invalid_body', param: 'since' });
  });
});
