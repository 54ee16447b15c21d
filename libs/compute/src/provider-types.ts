import { cogType } from './cog/cog-type';
import { comfyuiType } from './comfyui/comfyui-type';
import { falType } from './fal/fal-type';
import { openAiImagesType } from './openai-images/openai-images-type';
import type { ProviderType } from './provider-type';
import { replicateType } from './replicate/replicate-type';
import { runpodType } from './runpod/runpod-type';
import { sandboxType } from './sandbox/sandbox-type';

/** All adapters; add a new one here. */
export const PROVIDER_TYPES: readonly ProviderType[] = [
  sandboxType,
  cogType,
  comfyuiType,
  falType,
  openAiImagesType,
  runpodType,
  replicateType,
];
