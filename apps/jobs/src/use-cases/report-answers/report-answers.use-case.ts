import { Injectable } from '@nestjs/common';
import type { ReportAnswers as Report } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { UnansweredRequestRepository } from '../../unanswered-request/unanswered-request.repository';

/** Marks requests that were answered, forgets those whose jobs have failed, and releases those whose clients were gone before. */
@Injectable()
export class ReportAnswers {
  constructor(private readonly requests: UnansweredRequestRepository) {}

  async execute(report: Report): Promise<Record<string, never>> {
    await this.requests.report(report);
    return {};
  }
}
