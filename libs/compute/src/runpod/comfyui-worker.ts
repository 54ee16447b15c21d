import { fillGraph } from '../comfyui/fill-graph';
import { findUnsupportedTask, GRAPH_CHOICE_RULES, type GraphWithLoras } from '../comfyui/find-unsupported-task';
import { type GraphTemplate, seededOutputsOf } from '../comfyui/graph-template';
import { pickTemplates } from '../comfyui/load-templates';
import { findLoraFiles, type LoraFiles, readLoraFiles } from '../comfyui/task-loras';
import { branchOfFile } from '../comfyui/seed-branches';
import type { ProviderTask, TaskFacts } from '../compute-provider.port';
import { isRecord } from '../http/json-answer';
import { type ChoiceRules, toSupportedChoices } from '../task-choices';
import { toFailure, type WorkerPayload, type WorkerResult } from './runpod-job';
import type { RunpodSettings } from './runpod-settings';

/** The texts can only be sent in the graph: unlike a ComfyUI server, the worker accepts no extra data. */
const CHOICE_RULES: ChoiceRules<GraphWithLoras> = {
  ...GRAPH_CHOICE_RULES,
  prompt: ({ template: { places } }) => (places.prompt ? null : 'has no place for the prompt'),
  negativePrompt: ({ template: { places } }) =>
    places.negative_prompt ? null : 'has no place for the negative prompt',
};

/**
 * worker-comfyui: its input is a graph with images, and its output the files that the graph has saved.
 * @param settings with the names of files on the workers' volume. @throws Error, naming the setting
 */
export function comfyuiWorker(settings: RunpodSettings, templatesDir: string | null): WorkerPayload {
  const templates = pickTemplates(settings.templates, templatesDir);
  const loras = readLoraFiles(settings.loras);
  const findUnsupported = (task: TaskFacts): string | null => {
    const template = templates.get(task.template ?? '');
    if (!template) return `There is no template ${task.template ?? 'that its route names'}.`;
    const unsupported = findUnsupportedTask(template, task, findLoraFiles(task.loras, loras), CHOICE_RULES);
    return unsupported && `Its workflow ${unsupported}.`;
  };
  return {
    templateNames: new Set(templates.keys()),
    supports: toSupportedChoices(CHOICE_RULES),
    findUnsupported,
    readOutput,
    seededOutputs: ({ template = '' }) => seededOutputsOf(templates.get(template)),
    toInput(task) {
      const template = templates.get(task.template ?? '');
      if (!template || findUnsupported({ ...task, imageCount: task.images.length }) !== null) return null;
      return toGraphInput(template, task, findLoraFiles(task.loras, loras));
    },
  };
}

function toGraphInput(template: GraphTemplate, task: ProviderTask, loras: (LoraFiles | null)[]): object {
  // A warm worker keeps the uploads of earlier jobs.
  const images = task.images.map((bytes, index) => ({
    name: `${task.id}-${index}.png`,
    image: bytes.toString('base64'),
  }));
  const workflow = fillGraph(template, task, {
    folder: `jobs/${task.id}`,
    images: images.map(({ name }) => name),
    loras: loras.filter((files) => files !== null),
  });
  return { workflow, ...(images.length === 0 ? {} : { images }) };
}

/**
 * `{images, errors?}`, `{error, details?}` or `{status: "success_no_images", images: []}`. `images` includes the videos of
 * SaveVideo.
 */
function readOutput(output: unknown, files: number): WorkerResult {
  if (!isRecord(output))
    return { failure: { kind: 'fatal', reason: 'the worker gave another output than worker-comfyui' } };
  if (output['error']) return { failure: toFailure(output['error']) };
  const entries = (Array.isArray(output['images']) ? output['images'].filter(isRecord) : []).sort(
    (one, other) => branchOfFile(String(one['filename'])) - branchOfFile(String(other['filename'])),
  );
  const made = entries.map(({ data }) => (typeof data === 'string' ? data : ''));
  const { errors } = output;
  // Some files with errors beside them are a partial result, whatever the number of files that the graph makes.
  if (Array.isArray(errors) && errors.length > 0 && made.length < files) return { failure: toFailure(errors) };
  return { files: made };
}
