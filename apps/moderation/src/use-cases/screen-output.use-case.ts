import { Injectable } from '@nestjs/common';
import { Database, OutboxRelay } from '@kinora/database';
import type { OutputVerdict } from '@kinora/contracts/moderation/moderation.rpc';
import { VideoProblem } from '@kinora/videos';
import { blockedCategory } from '../decision/blocked-category';
import { DecisionRepository } from '../decision/decision.repository';
import { Gate, type Verdict } from '../gate/gate';
import { meterVerdict } from '../gate/verdict-meter';
import { isOnlyTestImage } from '../image/known-image';
import { UnreadableImage } from '../image/image-decoder';
import { StrikeLedger } from '../strike/strike-ledger';
import { StoredOutputs } from '../video/stored-outputs';

export interface ScreenOutputRequest {
  account_id: string;
  job_id: string;
  object_keys: string[];
}

/** Judges all outputs of a job together: one blocked output blocks the job and adds a strike. */
@Injectable()
export class ScreenOutput {
  constructor(
    private readonly outputs: StoredOutputs,
    private readonly gate: Gate,
    private readonly database: Database,
    private readonly decisions: DecisionRepository,
    private readonly strikes: StrikeLedger,
    private readonly relay: OutboxRelay,
  ) {}

  async execute({ account_id, job_id, object_keys }: ScreenOutputRequest): Promise<OutputVerdict> {
    const hasYoungContext = await this.decisions.hasYoungContext(job_id);
    const judge = (): Promise<Verdict> =>
      this.outputs.judge(object_keys, (files) => this.gate.judge({ texts: [], hasYoungContext, ...files }));
    const verdict = await meterVerdict('output', judge).catch(unlessUnreadable);
    if (verdict === null) return { verdict: 'unreadable' };
    const judged = { account_id, job_id, stage: 'output' } as const;
    if (verdict.outcome === 'passed') {
      return { ...(await this.decisions.recordPassed(judged, verdict)), verdict: 'passed' };
    }
    const decision_id = await this.database.transaction(async (transaction) => {
      const id = await this.decisions.recordBlocked(transaction, judged, verdict);
      const strike = { account_id, job_id, decision_id: id };
      await this.strikes.record(transaction, strike, isOnlyTestImage(verdict.judgement.findings));
      return id;
    });
    this.relay.nudge();
    return { decision_id, verdict: 'blocked', category: blockedCategory(verdict.objection) };
  }
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof VideoProblem || error instanceof UnreadableImage) return null;
  throw error;
}
