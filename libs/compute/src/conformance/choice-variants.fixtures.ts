import { IMAGE, OTHER_IMAGE } from './files.fixtures';
import { withAgeSafetyTerms } from '../instance-definition';
import type { ImageTask, ProviderTask, VideoTask, TaskChoice } from '../compute-provider.port';
import { InstanceConnection, type InstanceRequest } from '../http/instance-connection';
import type { Trial } from './trial.fixtures';

type AnyChoices = Partial<Omit<ImageTask, 'operation'> & Omit<VideoTask, 'operation'>>;

/** Variants of a task that differ in one choice. A new choice without a variant does not compile. */
const OTHERWISE: Record<TaskChoice, AnyChoices> = {
  prompt: { prompt: 'a rough sea' },
  negativePrompt: { negativePrompt: withAgeSafetyTerms('rain') },
  width: { width: 136 },
  height: { height: 136 },
  seed: { seed: 8 },
  loras: { loras: [{ url: 'https://loras.example/one.safetensors', strength: 0.5 }] },
  images: { images: [OTHER_IMAGE] },
  n: { n: 2 },
  steps: { steps: 11 },
  guidance: { guidance: 4.5 },
  durationSeconds: { durationSeconds: 8 },
  fps: { fps: 16 },
};

const OF_IMAGES: ReadonlySet<TaskChoice> = new Set(['n', 'steps', 'guidance']);
const OF_VIDEOS: ReadonlySet<TaskChoice> = new Set(['durationSeconds', 'fps']);

export interface ChoiceTrial {
  choice: TaskChoice;
  operation: ProviderTask['operation'];
  base: ProviderTask;
  changed: ProviderTask;
}

/** Each choice in each operation that has it. */
export function choiceTrials(trial: Trial): ChoiceTrial[] {
  const bases = [() => trial.imageTask(), () => trial.editTask([IMAGE]), () => trial.videoTask(IMAGE)];
  return bases.flatMap((makeTask) =>
    (Object.keys(OTHERWISE) as TaskChoice[])
      .filter((choice) => isKnownTo(choice, makeTask().operation))
      .map((choice) => {
        const base = makeTask();
        const changed = Object.assign(makeTask(), OTHERWISE[choice]);
        return { choice, operation: base.operation, base, changed };
      }),
  );
}

function isKnownTo(choice: TaskChoice, operation: ProviderTask['operation']): boolean {
  if (choice === 'images') return operation !== 'image.generation';
  return operation === 'video.generation' ? !OF_IMAGES.has(choice) : !OF_VIDEOS.has(choice);
}

export function unsupportedOf(trial: Trial, { images, ...task }: ProviderTask): string | null {
  return trial.provider.findUnsupported({ ...task, imageCount: images.length });
}

/** All that the adapter sends for a task until its backend accepts it, without values that are random for each task. */
export async function sentFor(trial: Trial, task: ProviderTask): Promise<string> {
  const send = jest.spyOn(InstanceConnection.prototype, 'send');
  try {
    await trial.send(task);
    return send.mock.calls
      .map(([request]) => contentOf(request).replaceAll(/[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}/g, 'ID'))
      .join('\n');
  } finally {
    send.mockRestore();
    trial.backend.finish();
  }
}

function contentOf({ to, json, form }: InstanceRequest): string {
  return `${to} ${JSON.stringify(json)} ${form?.body.toString('latin1') ?? ''}`;
}
