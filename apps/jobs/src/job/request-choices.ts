import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import type { TaskChoice } from '../providers/compute-provider.port';

type RequestField = keyof ImageGenerationBody | keyof ImageEditBody | keyof VideoGenerationBody;

/**
 * Which parts of a task each field of a request becomes, or why it becomes none. A field that is missing here does not
 * compile, so that whatever a client has chosen reaches the model.
 */
export const CHOICES_BY_FIELD = {
  prompt: ['prompt'],
  negative_prompt: ['negativePrompt'],
  size: ['width', 'height'],
  aspect_ratio: ['width', 'height'],
  image: ['images'],
  images: ['images'],
  n: ['n'],
  seed: ['seed'],
  steps: ['steps'],
  guidance: ['guidance'],
  loras: ['loras'],
  duration: ['durationSeconds'],
  model: { ofNoTask: 'It chooses the routes, and with them the template.' },
  output_format: { ofNoTask: 'Kinora encodes the file itself.' },
  webhook_url: { ofNoTask: 'It is told of the end.' },
  metadata: { ofNoTask: 'It goes back to the client alone.' },
} as const satisfies Record<RequestField, readonly TaskChoice[] | { ofNoTask: string }>;
