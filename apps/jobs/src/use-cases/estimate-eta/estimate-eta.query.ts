import { Injectable } from '@nestjs/common';
import type { EtaRequest } from '@kinora/contracts/jobs/job-progress';
import { EtaEstimator } from '../../progress/eta-estimator';

@Injectable()
export class EstimateEta {
  constructor(private readonly estimator: EtaEstimator) {}

  /** For the price of a job that does not exist yet: changes nothing. */
  async execute(request: EtaRequest): Promise<{ eta_seconds: number | null }> {
    return { eta_seconds: await this.estimator.secondsForNewJob(request) };
  }
}
