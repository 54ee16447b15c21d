import type { ImageTask, TaskFacts, TaskLora, VideoTask } from '../compute-provider.port';
import { findUnsupportedTask } from './find-unsupported-task';
import type { GraphTemplate } from './graph-template';
import { loadTemplates, SHIPPED_TEMPLATES_DIR } from './load-templates';
import { findLoraFiles } from './task-loras';

const shipped = loadTemplates(SHIPPED_TEMPLATES_DIR);
const ANY_TASK = {
  id: 'a-task',
  model: 'a-model',
  prompt: 'a "lighthouse" | 🦊',
  negativePrompt: 'fog, child',
  width: 1_024,
  height: 768,
  seed: 2 ** 31 - 1,
  loras: [],
  images: [],
};
const IMAGE: ImageTask = { ...ANY_TASK, operation: 'image.generation', n: 2 };
const VIDEO: VideoTask = { ...ANY_TASK, operation: 'video.generation', durationSeconds: 5, fps: 16 };
const SINGLE: TaskLora = { file: 'one.safetensors', strength: 1.2 };

function templateNamed(name: string): GraphTemplate {
  const template = shipped.get(name);
  if (!template) throw new Error(`There is no template ${name}`);
  return template;
}

describe('a task that a template does not support', () => {
  const facts = (task: Partial<TaskFacts>): TaskFacts => ({ ...IMAGE, imageCount: 0, ...task }) as TaskFacts;
  const unsupported = (name: string, task: Partial<TaskFacts>): string | null =>
    findUnsupportedTask(templateNamed(name), facts(task), findLoraFiles(facts(task).loras, new Map()));

  it.each([
    ['cpu-image-edit-standin', { imageCount: 1 }, 'makes one image at a time'],
    ['cpu-text-to-image-standin', { steps: 4, guidance: 4 }, null],
    ['qwen-image-edit-2509', { imageCount: 1, steps: 4 }, 'has no place for steps'],
    ['qwen-image-edit-2509', { imageCount: 1, guidance: 4 }, 'has no place for guidance'],
    ['cpu-text-to-image-standin', { loras: [SINGLE] }, 'has no place for LoRAs'],
    ['sdxl-text-to-image', { loras: [{ id: 'unknown', strength: 1 }] }, 'runs on a server that has no file of a LoRA'],
    ['sdxl-text-to-image', { width: 1_001 }, 'makes sides that are multiples of 8'],
    ['sdxl-text-to-image', { imageCount: 1 }, 'takes 0 images and got 1'],
    ['qwen-image-edit-2509', { imageCount: 0 }, 'needs 1 images and got 0'],
    ['qwen-image-edit-2509', { imageCount: 4 }, 'takes 3 images and got 4'],
    ['sdxl-text-to-image', { ...VIDEO }, 'makes images'],
    ['wan22-14b-image-to-video', { imageCount: 1 }, 'makes videos'],
    [
      'wan22-14b-image-to-video',
      { ...VIDEO, fps: 15, imageCount: 1 },
      'makes videos of multiples of 4 plus one frames',
    ],
  ] as [string, Partial<TaskFacts>, string | null][])('%s: %j', (name, task, expected) => {
    expect(unsupported(name, task)).toBe(expected);
  });
});
