import type { PictureTask, VideoTask } from './compute-provider.port';

/** What the core sets, so that no choice of a client is lost with it. */
type SetByCore = 'id' | 'operation' | 'model' | 'template' | 'callbackUrl';

/** What a client chooses of a task, itself or by the model that it names. */
export type TaskChoice = Exclude<keyof PictureTask | keyof VideoTask, SetByCore>;

/**
 * `always`: every request of the adapter has it. `or_refused`: only where the server, its settings or the template has a
 * place for it; otherwise `findObstacle` refuses the task before it is sent.
 */
export type Carriage = 'always' | 'or_refused';

/** What an adapter does with each choice. One that is missing here does not compile; the conformance kit tries each of them. */
export type CarriedChoices = Readonly<Record<TaskChoice, Carriage>>;

/** Of adapters whose requests are made by templates of the operator: a template names the parts that it has a place for. */
export const CARRIED_BY_TEMPLATE: CarriedChoices = {
  prompt: 'always',
  negativePrompt: 'or_refused',
  width: 'or_refused',
  height: 'or_refused',
  seed: 'always',
  loras: 'or_refused',
  images: 'or_refused',
  n: 'or_refused',
  steps: 'or_refused',
  guidance: 'or_refused',
  durationSeconds: 'or_refused',
  fps: 'or_refused',
};
