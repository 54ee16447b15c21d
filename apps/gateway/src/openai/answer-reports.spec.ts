import type { Bus } from '@kinora/bus';
import type { ReportAnswers } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { createTestLog, waitFor } from '@kinora/testing';
import { AnswerReports } from './answer-reports';

describe('reports about answers', () => {
  const { logger } = createTestLog();
  let sent: ReportAnswers[];
  let isJobsAway: boolean;
  let reports: AnswerReports;

  beforeEach(() => {
    [sent, isJobsAway] = [[], false];
    const request = (_contract: unknown, report: ReportAnswers): Promise<object> => {
      sent.push(report);
      return isJobsAway ? Promise.reject(new Error('jobs is away')) : Promise.resolve({});
    };
    reports = new AnswerReports({ request } as unknown as Bus, logger);
  });
  afterEach(() => reports.onApplicationShutdown());

  it('are sent again after a failure, also while no request is held', async () => {
    isJobsAway = true;
    // A client has reset its connection after the answer, and the process holds no other request.
    reports.end('one', 'unanswered');
    await waitFor(() => sent.length === 1);
    isJobsAway = false;
    await waitFor(() => sent.length === 2);
    expect(sent.map(({ unanswered }) => unanswered)).toEqual([['one'], ['one']]);
  });
});
