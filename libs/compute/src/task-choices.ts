import type { SupportedChoices } from './compute-provider.port';

/** For adapters with templates of the operator: a template names the parts that it has a place for. */
export const SUPPORTED_BY_TEMPLATE: SupportedChoices = {
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
