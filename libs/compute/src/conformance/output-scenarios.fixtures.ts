import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { prepareOutput } from '@kinora/images';
import { CLIP, IMAGE, OTHER_IMAGE } from './files.fixtures';
import { type FetchOutput, InvalidUpstreamOutput, type ImageTask, ProviderUnreachable } from '../compute-provider.port';
import { seedOfOutput } from '../instance-definition';
import { type Scenario, SECRET, type Trial } from './trial.fixtures';
import type { OutputScenario } from './scenario-id.fixtures';

export const OUTPUT_SCENARIOS: Record<OutputScenario, Scenario> = {
  outputs_verbatim: {
    title: 'fetches the outputs byte for byte, all of them and in order',
    run: async (trial) => {
      const sent = await trial.send(trial.imageTask({ n: 2 }));
      expect(trial.backend.received.at(-1)?.n).toBe(2);
      trial.backend.finish([IMAGE, OTHER_IMAGE]);
      expect(await fetchAll(trial, sent)).toEqual([IMAGE, OTHER_IMAGE]);
    },
  },
  seeds: {
    title: 'returns a seed only for outputs that the seed reproduces',
    run: async (trial) => {
      const task = trial.imageTask({ n: 3 });
      const made = await draw(trial, task);
      expect(made).toHaveLength(task.n);
      const { images, ...facts } = task;
      const isEach = trial.provider.seededOutputs({ ...facts, imageCount: images.length }) === 'each';
      for (const [index, image] of made.slice(0, isEach ? task.n : 1).entries()) {
        const [again] = await draw(trial, trial.imageTask({ seed: seedOfOutput(task.seed, index) }));
        expect(again?.equals(image)).toBe(true);
      }
      // Outputs that are the same for every seed would prove nothing.
      expect(new Set(made.map((image) => image.toString('latin1'))).size).toBe(task.n);
    },
  },
  video: {
    title: 'fetches a video from any field of the answer',
    run: async (trial) => {
      const sent = await trial.send(trial.videoTask(IMAGE));
      expect(trial.backend.received.at(-1)?.images).toEqual([IMAGE]);
      trial.backend.finish([CLIP]);
      expect(await fetchAll(trial, sent)).toEqual([CLIP]);
    },
  },
  partial: {
    title: 'does not report a part of the files as success',
    run: async (trial) => {
      const sent = await trial.send(trial.imageTask({ n: 2 }));
      trial.backend.begin();
      trial.backend.end('partial');
      const status = await trial.end(sent);
      if (status.state === 'succeeded') expect(status.outputs).not.toHaveLength(2);
      else expect(status.state).toBe('failed');
    },
  },
  truncated: {
    title: 'does not accept a truncated file',
    run: async (trial) => {
      trial.backend.inject({ kind: 'truncate_outputs' });
      expect(await troubleOf(trial)).toBeDefined();
    },
  },
  oversized: {
    title: 'stops reading an endless file, and still works afterwards',
    run: async (trial) => {
      trial.backend.inject({ kind: 'oversize_outputs' });
      expect(await troubleOf(trial)).toBeDefined();
      await trial.provider.probe();
    },
  },
  expired: {
    title: 'does not report a task as failed when its result has expired',
    run: async (trial) => {
      const sent = await trial.send();
      trial.backend.finish();
      trial.backend.inject({ kind: 'expire_outputs' });
      const status = await trial.poll(sent);
      expect(['succeeded', 'not_found', 'unreachable']).toContain(status.state);
      if (status.state === 'succeeded') expect(await fetchProblem(status.outputs)).toBeDefined();
    },
  },
  previews: {
    title: 'leaves out temporary files of the backend',
    run: (trial) => expectOutputsUnder(trial, () => trial.backend.inject({ kind: 'list_previews' })),
  },
  server_paths: {
    title: "reads no file by a path of the backend's own machine",
    run: (trial) => expectOutputsUnder(trial, () => trial.backend.inject({ kind: 'name_server_paths' })),
  },
  redirected: {
    title: 'does not send its secrets to the target of a redirect',
    run: async (trial) => {
      const received: string[] = [];
      const stranger = createServer((request, response) => {
        received.push(JSON.stringify([request.url, request.rawHeaders]));
        response.end('{}');
      });
      await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
      try {
        const sent = await trial.send();
        trial.backend.finish();
        const outputs = await trial.outputs(sent);
        const { port } = stranger.address() as AddressInfo;
        trial.backend.inject({ kind: 'redirect', to: `http://127.0.0.1:${port}` });
        await Promise.allSettled(outputs.map((fetchOutput) => fetchOutput()));
        await trial.poll(sent);
        expect(received.filter((request) => request.includes(SECRET))).toEqual([]);
      } finally {
        stranger.closeAllConnections();
        stranger.close();
      }
    },
  },
};

async function expectOutputsUnder(trial: Trial, oddity: () => void): Promise<void> {
  oddity();
  const sent = await trial.send();
  trial.backend.finish([IMAGE]);
  expect(await fetchAll(trial, sent)).toEqual([IMAGE]);
}

/** The pixels of the backend's own outputs for the task, because the files also contain text about the task. */
async function draw(trial: Trial, task: ImageTask): Promise<Buffer[]> {
  const sent = await trial.send(task);
  trial.backend.finish();
  const { width, height } = task;
  const pixels = { format: 'png', width, height, provenance: 'algorithmicMedia' } as const;
  const files = await fetchAll(trial, sent);
  return await Promise.all(files.map(async (file) => (await prepareOutput(file, pixels)).bytes));
}

async function fetchAll(trial: Trial, sent: Awaited<ReturnType<Trial['send']>>): Promise<Buffer[]> {
  return await Promise.all((await trial.outputs(sent)).map((fetchOutput) => fetchOutput()));
}

/** The result for a task with a faulty output: the error of its fetch, or a status other than success. */
async function troubleOf(trial: Trial): Promise<unknown> {
  const sent = await trial.send();
  trial.backend.finish([IMAGE]);
  const status = await trial.poll(sent);
  if (status.state !== 'succeeded') return status.state;
  return await fetchProblem(status.outputs);
}

async function fetchProblem([fetchOutput]: FetchOutput[]): Promise<Error> {
  const error: unknown = await fetchOutput?.().catch((reason: unknown) => reason);
  if (error instanceof InvalidUpstreamOutput || error instanceof ProviderUnreachable) return error;
  throw new Error(`The fetch of a faulty output did not throw one of the two expected errors: ${String(error)}`);
}
