import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ReceivedTask } from '../conformance/fake-backend.fixtures';

export interface ModelInput {
  prompt?: string;
  negative_prompt?: string;
  seed?: number;
  size?: { width?: number; height?: number };
  num_outputs?: number;
  image?: string;
  images?: string[];
}

/** The fields of that input, as in an operator's template. */
const FIELDS = `
fields:
  prompt: prompt
  negative_prompt: negative_prompt
  seed: seed
  width: size.width
  height: size.height
`;

const TEMPLATES = {
  image: `operations: [image.generation]${FIELDS}  n: num_outputs\n  steps: steps\n  guidance: guidance\n`,
  edit: `operations: [image.edit]${FIELDS}  n: num_outputs\n  images: images\n`,
  video: `operations: [video.generation]${FIELDS}  image: image\n  frames_plus_one: num_frames\n  fps: fps\n`,
};

/** For the harness of the conformance kit. */
export const TEMPLATE_BY_OPERATION = {
  'image.generation': 'image',
  'image.edit': 'edit',
  'video.generation': 'video',
} as const;

/** A folder of templates for one type of backend, as beside providers.yaml. */
export class TemplatesFolder {
  private constructor(readonly path: string) {}

  static async create(type: string, model?: string): Promise<TemplatesFolder> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-templates-'));
    await mkdir(path.join(folder, type), { recursive: true });
    for (const [name, text] of Object.entries(TEMPLATES)) {
      const head = model === undefined ? '' : `model: ${model}\n`;
      await writeFile(path.join(folder, type, `${name}.yaml`), head + text);
    }
    return new TemplatesFolder(folder);
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.path, name), text);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}

export function toReceivedTask(input: ModelInput): ReceivedTask {
  const images = input.images ?? (input.image === undefined ? [] : [input.image]);
  return {
    prompt: input.prompt ?? null,
    negativePrompt: input.negative_prompt ?? null,
    seed: input.seed ?? null,
    width: input.size?.width ?? null,
    height: input.size?.height ?? null,
    n: input.num_outputs ?? null,
    images: images.map((url) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
  };
}
