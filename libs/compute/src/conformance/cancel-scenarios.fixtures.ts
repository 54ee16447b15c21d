import { waitFor } from '@kinora/testing';
import type { Scenario, Trial } from './trial.fixtures';
import type { CancelScenario } from './scenario-id.fixtures';

export const CANCEL_SCENARIOS: Record<CancelScenario, Scenario> = {
  cancel_waiting: {
    title: 'removes a waiting task from the queue',
    run: (trial) => expectFreed(trial, () => undefined),
  },
  cancel_running: {
    title: 'stops a running task',
    run: (trial) => expectFreed(trial, () => trial.backend.begin()),
  },
  cancel_too_late: {
    title: 'does not report a finished task as stopped',
    run: async (trial) => {
      const sent = await trial.send();
      trial.backend.finish();
      await trial.end(sent);
      expect(await trial.provider.cancel(await trial.upstream(sent))).not.toBe('stopped');
    },
  },
  cancel_ignored: {
    title: 'keeps reporting the status of a task that continues after its cancel',
    run: async (trial) => {
      const sent = await trial.send();
      trial.backend.begin();
      trial.backend.inject({ kind: 'ignore_cancels' });
      await trial.provider.cancel(await trial.upstream(sent));
      expect(['running', 'queued', 'unreachable']).toContain((await trial.poll(sent)).state);
      trial.backend.finish();
      expect((await trial.end(sent)).state).toBe('succeeded');
    },
  },
  cancel_twice: {
    title: 'may be repeated, and sent for an unknown task',
    run: async (trial) => {
      const sent = await trial.send();
      const otherTask = await trial.send();
      const upstream = await trial.upstream(sent);
      await trial.provider.cancel(upstream);
      await trial.provider.cancel(upstream);
      await trial.provider.cancel({ id: '00000000-0000-7000-8000-000000000000-1', ref: null });
      expect(['queued', 'running']).toContain((await trial.poll(otherTask)).state);
    },
  },
};

async function expectFreed(trial: Trial, prepare: () => void): Promise<void> {
  const sent = await trial.send();
  prepare();
  const outcome = await trial.provider.cancel(await trial.upstream(sent));
  // A backend may only try to stop, so the outcome is not tested; the work ends in any case.
  expect(['stopped', 'unknown']).toContain(outcome);
  await waitFor(() => trial.backend.workingCount === 0);
}
