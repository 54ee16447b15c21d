import { type CallbackRequest, ProviderUnreachable } from '../compute-provider.port';
import { examineInstance } from '../examine-instance';
import { type Scenario, SECRET, SECRET_HEADER, type Trial } from './trial.fixtures';
import type { OperationScenario } from './scenario-id.fixtures';

export const OPERATION_SCENARIOS: Record<OperationScenario, Scenario> = {
  headers_sent: {
    title: 'sends its headers with every request to its backend',
    run: async (trial) => {
      await trial.provider.probe();
      const sent = await trial.send();
      trial.backend.finish();
      await Promise.all((await trial.outputs(sent)).map((fetchOutput) => fetchOutput()));
      await trial.provider.cancel(await trial.upstream(sent));
      const without = trial.backend.requests.filter(({ headers }) => headers[SECRET_HEADER] !== SECRET);
      expect(trial.backend.requests.length).toBeGreaterThan(1);
      expect(without).toEqual([]);
    },
  },
  gone: {
    title: 'reports that its backend is down: submissions are refused, and statuses are unreachable',
    run: async (trial) => {
      const sent = await trial.send();
      trial.backend.finish();
      await sent.outcome;
      await trial.backend.stop();
      expect(await trial.submit()).toMatchObject({ kind: 'refused', retryAfterMs: null });
      const upstream = await trial.upstream(sent);
      expect((await trial.statusOf(upstream)).state).toBe('unreachable');
      expect(await trial.provider.cancel(upstream)).toBe('unknown');
      const { state, problems } = await trial.provider.probe();
      expect(state).toBe('down');
      expect(problems).not.toEqual([]);
    },
  },
  probe_harmless: {
    title: 'reports that it is up, and starts no work for the probe',
    run: async (trial) => {
      const instance = { provider: trial.provider, type: 'of-the-kit', loraDir: null };
      expect((await examineInstance(instance)).examination).toMatchObject({ state: 'up', problems: [] });
      expect(trial.backend.received).toEqual([]);
    },
  },
  capacity: {
    title: 'reads the capacity of its backend without starting work, and throws when the backend is down',
    run: async (trial) => {
      // An adapter declares `readCapacity` exactly where its harness has a capacity.
      expect(await trial.provider.readCapacity?.()).toEqual(trial.harness.capacity);
      expect(trial.backend.received).toEqual([]);
      await trial.backend.stop();
      if (trial.provider.readCapacity)
        await expect(trial.provider.readCapacity()).rejects.toBeInstanceOf(ProviderUnreachable);
    },
  },
  parked: {
    title: 'reports a task that its backend has parked, and when it is no longer parked',
    run: async (trial) => {
      const sent = await trial.send();
      expect(await trial.poll(sent)).toMatchObject({ state: 'queued', isParked: false });
      trial.harness.park?.(trial.subject);
      expect(await trial.poll(sent)).toMatchObject({ isParked: true });
      expect(await trial.submit({ ...sent.task })).toMatchObject({ kind: 'accepted', isParked: true });
      trial.backend.begin();
      expect(await trial.poll(sent)).toMatchObject({ state: 'running', isParked: false });
    },
  },
  callback_forged: {
    title: 'accepts a callback of its backend, and refuses forged ones',
    run: async (trial) => {
      const { genuine, forged } = await callbacksOf(trial);
      expect(await trial.provider.verifyCallback?.(genuine)).toBe(true);
      expect(Object.keys(forged)).not.toEqual([]);
      for (const [name, request] of Object.entries(forged))
        expect({ name, believed: await trial.provider.verifyCallback?.(request) }).toEqual({ name, believed: false });
    },
  },
  callback_repeated: {
    title: 'accepts a callback twice, and before the answer to the submission',
    run: async (trial) => {
      const { genuine } = await callbacksOf(trial);
      expect(await trial.provider.verifyCallback?.(genuine)).toBe(true);
      expect(await trial.provider.verifyCallback?.(genuine)).toBe(true);
      await trial.send();
    },
  },
};

async function callbacksOf(
  trial: Trial,
): Promise<{ genuine: CallbackRequest; forged: Record<string, CallbackRequest> }> {
  if (!trial.harness.callbacks)
    throw new Error('The harness has no callbacks. Add them, or name the reason in cannot.');
  return await trial.harness.callbacks(trial.subject);
}
