import type { Bus } from '@kinora/bus';
import type { ReportAnswers } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { createTestLog, waitFor } from '@kinora/testing';
import { AnswerReports } from './answer-reports';

describe('reports about answers', () => {
  const { logger } = createTestLog();
  let sent: ReportAnswers[];
  let onReport: () => Promise<void>;
  let reports: AnswerReports;

  beforeEach(() => {
    [sent, onReport] = [[], () => Promise.resolve()];
    const request = async (_contract: unknown, report: ReportAnswers): Promise<object> => {
      sent.push(report);
      await onReport();
      return {};
    };
    reports = new AnswerReports({ request } as unknown as Bus, logger);
  });
  afterEach(() => reports.onApplicationShutdown());

  it('are sent again after a failure, also while no request is held', async () => {
    onReport = () => {
      onReport = () => Promise.resolve();
      return Promise.reject(new Error('jobs is away'));
    };
    // A client has reset its connection after the answer, and the process holds no other request.
    reports.end('one', 'unanswered');
    await waitFor(() => sent.length === 2);
    expect(sent.map(({ unanswered }) => unanswered)).toEqual([['one'], ['one']]);
  });

  it('of clients that left are stored before another request is opened, which may be their repeat', async () => {
    await reports.hold('first');
    let store = (): void => undefined;
    onReport = () => {
      onReport = () => Promise.resolve();
      return new Promise((resolve) => (store = resolve));
    };
    reports.end('first', 'unanswered');
    await waitFor(() => sent.length === 2);
    let isHeld = false;
    const repeat = reports.hold('repeat').then(() => (isHeld = true));
    await new Promise(setImmediate);
    const isHeldUnstored = isHeld;
    store();
    await repeat;
    expect(isHeldUnstored).toBe(false);
    expect(sent.map(({ unanswered }) => unanswered)).toEqual([[], ['first']]);
  });
});
