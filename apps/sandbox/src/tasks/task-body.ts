/** The body of `PUT /v1/tasks/{id}`, after validation by the schema. */
export interface TaskBody {
  readonly operation: 'image.generation' | 'image.edit' | 'video.generation';
  readonly prompt: string;
  readonly negative_prompt: string;
  readonly width: number;
  readonly height: number;
  readonly n: number;
  readonly seed: number;
  readonly steps?: number;
  readonly guidance?: number;
  /** Of a video, in seconds. */
  readonly duration?: number;
  readonly fps?: number;
  readonly loras: readonly {
    readonly id?: string;
    readonly url?: string;
    readonly low_url?: string;
    readonly strength: number;
  }[];
  readonly images: readonly { readonly data: string }[];
}

const SIDE = { type: 'integer', minimum: 64, maximum: 4096 };

export const taskBodySchema = {
  type: 'object',
  required: ['operation', 'prompt', 'width', 'height', 'seed'],
  properties: {
    operation: { enum: ['image.generation', 'image.edit', 'video.generation'] },
    prompt: { type: 'string', maxLength: 20_000 },
    negative_prompt: { type: 'string', maxLength: 20_000, default: '' },
    width: SIDE,
    height: SIDE,
    n: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
    seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    steps: { type: 'integer', minimum: 1, maximum: 1000 },
    guidance: { type: 'number', minimum: 0, maximum: 100 },
    duration: { type: 'number', exclusiveMinimum: 0, maximum: 60 },
    fps: { type: 'number', minimum: 1, maximum: 60 },
    loras: {
      type: 'array',
      maxItems: 8,
      default: [],
      items: {
        type: 'object',
        required: ['strength'],
        properties: {
          id: { type: 'string' },
          url: { type: 'string' },
          low_url: { type: 'string' },
          strength: { type: 'number', minimum: 0, maximum: 4 },
        },
      },
    },
    images: {
      type: 'array',
      maxItems: 3,
      default: [],
      items: { type: 'object', required: ['data'], properties: { data: { type: 'string', minLength: 1 } } },
    },
  },
} as const;
