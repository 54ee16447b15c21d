import { Injectable } from '@nestjs/common';
import { Database, OutboxRelay } from '@kinora/database';
import type { OutputVerdict, ScreenOutputRequest } from '@kinora/contracts/moderation/moderation.rpc';
import { VideoProblem } from '@kinora/videos';
import { blockedCategory } from '../decision/blocked-category';
import { DecisionRepository } from '../decision/decision.repository';
import { FingerprintRepository, type RecordedFile } from '../fingerprint/fingerprint.repository';
import { OutputPictures } from '../fingerprint/output-pictures';
import { Gate, type PassedVerdict, type Verdict } from '../gate/gate';
import { meterVerdict } from '../gate/verdict-meter';
import { isOnlyTestImage } from '../image/known-image';
import { UnreadableImage } from '../image/image-decoder';
import { StrikeLedger } from '../strike/strike-ledger';
import { StoredOutputs } from '../video/stored-outputs';

/**
 * Judges all outputs of a job together: one blocked output blocks the job and adds a strike. Passed outputs are recorded in the
 * registry of fingerprints.
 */
@Injectable()
export class ScreenOutput {
  constructor(
    private readonly outputs: StoredOutputs,
    private readonly gate: Gate,
    private readonly database: Database,
    private readonly decisions: DecisionRepository,
    private readonly fingerprints: FingerprintRepository,
    private readonly strikes: StrikeLedger,
    private readonly relay: OutboxRelay,
  ) {}

  async execute({ account_id, job_id, object_keys, model }: ScreenOutputRequest): Promise<OutputVerdict> {
    const pictures = new OutputPictures();
    const context = {
      hasYoungContext: await this.decisions.hasYoungContext(job_id),
      onJudged: pictures.add.bind(pictures),
    };
    const judge = (): Promise<Verdict> =>
      this.outputs.judge(object_keys, (files) => this.gate.judge({ texts: [], ...files, ...context }));
    const verdict = await meterVerdict('output', judge).catch(unlessUnreadable);
    if (verdict === null) return { verdict: 'unreadable' };
    const judged = { account_id, job_id, stage: 'output' } as const;
    if (verdict.outcome === 'passed') {
      await this.fingerprints.record(recordedFiles(verdict, pictures), model ?? null);
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

function recordedFiles({ judgement }: PassedVerdict, pictures: OutputPictures): RecordedFile[] {
  return judgement.contentSha256.map((fileSha256) => ({ fileSha256, pictures: pictures.of(fileSha256) }));
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof VideoProblem || error instanceof UnreadableImage) return null;
  throw error;
}
