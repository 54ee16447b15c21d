import { waitFor } from '@kinora/testing';
import type { UpstreamStatus, UpstreamTask } from '../compute-provider.port';
import type { Scenario, Trial } from './trial.fixtures';
import type { StatusScenario } from './scenario-id.fixtures';

const TEN_MINUTES_MS = 600_000;
const SILENCE_MS = 200;
/** States that prove nothing, and therefore change nothing. */
const STILL_OPEN: UpstreamStatus['state'][] = ['queued', 'running', 'unreachable'];

export const STATUS_SCENARIOS: Record<StatusScenario, Scenario> = {
  waiting_and_running: {
    title: 'distinguishes a waiting task from a running one',
    run: async (trial) => {
      const sent = await trial.send();
      expect((await trial.poll(sent)).state).toBe('queued');
      trial.backend.begin();
      expect((await trial.poll(sent)).state).toBe('running');
    },
  },
  restarted: {
    title: 'reports not_found for a task that its backend has forgotten',
    run: async (trial) => {
      const sent = await trial.send();
      await sent.outcome;
      trial.backend.restart();
      expect((await trial.poll(sent)).state).toBe('not_found');
    },
  },
  status_words: {
    title: 'maps every status word of its backend',
    run: async (trial) => {
      for (const [word, state] of Object.entries(trial.harness.statusWords)) {
        const sent = await trial.send();
        await sent.outcome;
        trial.backend.inject({ kind: 'say_status', word });
        expect({ word, state: (await trial.poll(sent)).state }).toEqual({ word, state });
      }
    },
  },
  unknown_status_word: {
    title: 'does not treat an unknown status as an end',
    run: (trial) => expectOpenUnder(trial, () => trial.backend.inject({ kind: 'say_status', word: 'pondering' })),
  },
  blank_status: {
    title: 'does not treat a missing status as an end',
    run: (trial) => expectOpenUnder(trial, () => trial.backend.inject({ kind: 'blank_status' })),
  },
  answers_in_html: {
    title: 'does not treat an HTML page of a proxy as an answer',
    run: (trial) => expectOpenUnder(trial, () => trial.backend.inject({ kind: 'answer_in_html' })),
  },
  silent: {
    title: 'has a timeout for answers',
    run: async (trial) => {
      // Each adapter has its own timeout; the scenario tests that there is one.
      const limit = AbortSignal.timeout.bind(AbortSignal);
      const timeout = jest.spyOn(AbortSignal, 'timeout');
      try {
        await expectOpenUnder(trial, () => {
          trial.backend.inject({ kind: 'fall_silent' });
          timeout.mockImplementation(() => limit(SILENCE_MS));
        });
      } finally {
        timeout.mockRestore();
      }
    },
  },
  interrupted: {
    title: 'reports a task as canceled that was stopped at the backend',
    run: async (trial) => expect((await endedBy(trial, 'interrupted')).state).toBe('canceled'),
  },
  error: {
    title: 'reports a task as failed whose work threw, without text of the prompt',
    run: async (trial) => {
      const status = await endedBy(trial, 'error');
      expect(status).toMatchObject({ state: 'failed', failure: { reason: expect.stringMatching(/./) as string } });
      expect(JSON.stringify(status)).not.toMatch(/calm sea|conformance-secret/);
    },
  },
  out_of_memory: {
    title: 'reports an out-of-memory error as transient',
    run: async (trial) =>
      expect(await endedBy(trial, 'out_of_memory')).toMatchObject({ state: 'failed', failure: { kind: 'transient' } }),
  },
  content_rejected: {
    title: 'distinguishes a content filter of the backend from every other failure',
    run: async (trial) => {
      trial.backend.inject({ kind: 'reject_content' });
      const sent = await trial.send();
      trial.backend.finish();
      expect(await trial.end(sent)).toMatchObject({ state: 'failed', failure: { kind: 'content_rejected' } });
    },
  },
  result_is_error: {
    title: 'detects an error result behind a success status',
    run: async (trial) => {
      const status = await endedBy(trial, 'result_is_error');
      // Where only the missing files show it, jobs counts the files.
      if (status.state === 'succeeded') expect(status.outputs).toEqual([]);
      else expect(status.state).toBe('failed');
    },
  },
  progress: {
    title: 'reports the progress that its backend reports, and none of its own',
    run: async (trial) => {
      const { reportProgress } = trial.harness;
      const sent = await trial.send();
      trial.backend.begin();
      const running = await trial.poll(sent);
      expect(progressOf(running) ?? 0).toBe(0);
      if (!reportProgress) return expect(progressOf(running)).toBeUndefined();
      for (const part of [0.25, 0.75]) {
        reportProgress(trial.subject, part);
        // Where progress is pushed, a poll may come before it.
        const reported = await waitFor(async () => {
          const progress = progressOf(await trial.poll(sent));
          return progress !== undefined && progress > part - 0.25 ? progress : null;
        });
        expect(Math.abs(reported - part)).toBeLessThan(0.01);
      }
      trial.backend.finish();
      expect(await trial.end(sent)).toMatchObject({ state: 'succeeded', progress: 1 });
    },
  },
  clock_skew: {
    title: 'measures the duration of the work by the clock of the backend only',
    run: async (trial) => {
      for (const byMs of [-TEN_MINUTES_MS, TEN_MINUTES_MS]) {
        trial.backend.inject({ kind: 'skew_clock', byMs });
        const sent = await trial.send();
        trial.backend.begin();
        trial.backend.finish();
        const status = await trial.end(sent);
        if (status.state !== 'succeeded') throw new Error(`Ended as ${status.state}`);
        expect(status.gpuMs ?? 0).toBeGreaterThanOrEqual(0);
        expect(status.gpuMs ?? 0).toBeLessThan(TEN_MINUTES_MS / 2);
      }
    },
  },
  only_what_was_asked: {
    title: 'returns a status for each requested task and for no other, whatever its reference',
    run: async (trial) => {
      const known = await trial.upstream(await trial.send());
      await trial.send();
      const stranger: UpstreamTask = { id: '00000000-0000-7000-8000-000000000000-1', ref: null };
      const statuses = await trial.provider.statuses([known, stranger]);
      expect([...statuses.keys()].sort()).toEqual([known.id, stranger.id].sort());
      expect(STILL_OPEN).toContain(statuses.get(known.id)?.state);
      expect(['not_found', 'unreachable']).toContain(statuses.get(stranger.id)?.state);
      expect(await trial.provider.statuses([])).toEqual(new Map());
    },
  },
  many_tasks: {
    title: 'polls 500 tasks with few requests',
    run: async (trial) => {
      const sent = Array.from({ length: 500 }, () => trial.begin(trial.anyTask()));
      await waitFor(() => trial.backend.workingCount === 500);
      const tasks = await Promise.all(sent.map((one) => trial.upstream(one)));
      const before = trial.backend.requests.length;
      const statuses = await trial.provider.statuses(tasks);
      expect(statuses.size).toBe(500);
      expect(trial.backend.requests.length - before).toBeLessThanOrEqual(trial.harness.requestsFor500);
      for (const { state } of statuses.values()) expect(['queued', 'running']).toContain(state);
    },
  },
};

function progressOf(status: UpstreamStatus): number | undefined {
  return 'progress' in status ? status.progress : undefined;
}

async function expectOpenUnder(trial: Trial, trouble: () => void): Promise<void> {
  const sent = await trial.send();
  await sent.outcome;
  trouble();
  expect(STILL_OPEN).toContain((await trial.poll(sent)).state);
}

async function endedBy(trial: Trial, failure: Parameters<Trial['backend']['end']>[0]): Promise<UpstreamStatus> {
  const sent = await trial.send();
  trial.backend.begin();
  trial.backend.end(failure);
  return await trial.end(sent);
}
