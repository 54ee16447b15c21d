import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type ConfigProblem, readOperatorFile } from '@kinora/service-kit';
import type { ProviderTask, SubmitOutcome, TaskFacts } from '../compute-provider.port';
import type { JsonObject } from '../instance-definition';
import { toModelInput } from './model-input';
import { ModelTemplate } from './model-template';
import { findUnsupportedTask } from './find-unsupported-task';
import { findTemplateProblem } from './template-problem';

const EXTENSION = '.yaml';

/** A task in the input format of a hosted model. */
export interface ModelCall {
  /** Empty at a backend that runs one model only. */
  model: string;
  input: JsonObject;
}

/** The outcome of a submission that was not sent. */
export type NotSent = Extract<SubmitOutcome, { kind: 'failed' }>;

/** The models that an operator has described for one type of backend: the files of its folder, by name. */
export class ModelTemplates {
  private constructor(private readonly templates: ReadonlyMap<string, ModelTemplate>) {}

  /**
   * Reads `<templatesDir>/<type>/*.yaml`.
   * @throws ConfigError that names the first wrong line
   */
  static read(
    templatesDir: string | null,
    type: string,
    findOwnProblem: (template: ModelTemplate) => ConfigProblem | null,
  ): ModelTemplates {
    const folder = path.join(templatesDir ?? '', type);
    const names = templatesDir !== null && existsSync(folder) ? readdirSync(folder).sort() : [];
    const templates = new Map<string, ModelTemplate>();
    for (const name of names.filter((each) => each.endsWith(EXTENSION))) {
      const file = readOperatorFile(path.join(folder, name), ModelTemplate);
      if (!file) continue;
      const problem = findTemplateProblem(file.content) ?? findOwnProblem(file.content);
      if (problem) throw file.errorAt(problem.path, problem.rule);
      templates.set(name.slice(0, -EXTENSION.length), file.content);
    }
    return new ModelTemplates(templates);
  }

  get names(): ReadonlySet<string> {
    return new Set(this.templates.keys());
  }

  list(): ReadonlyMap<string, ModelTemplate> {
    return this.templates;
  }

  findUnsupported(task: TaskFacts): string | null {
    if (task.template === undefined) return 'the route names no template';
    const template = this.templates.get(task.template);
    return template ? findUnsupportedTask(template, task) : `there is no template ${task.template}`;
  }

  /** The request for a task. A task that is unsupported, or too large for a request, is not sent. */
  prepare(task: ProviderTask, maxImageBytes: number): ModelCall | NotSent {
    const template = this.templates.get(task.template ?? '');
    const { images, ...facts } = task;
    const problem =
      this.findUnsupported({ ...facts, imageCount: images.length }) ?? findSizeProblem(images, maxImageBytes);
    if (!template || problem !== null)
      return { kind: 'failed', failure: { kind: 'invalid_input', reason: problem ?? 'no template' }, gpuMs: null };
    return { model: template.model ?? '', input: toModelInput(template, task) };
  }
}

/** Images are sent within the request, because a client's data on the backend's storage could not be deleted. */
function findSizeProblem(images: Buffer[], maxBytes: number): string | null {
  const bytes = images.reduce((sum, image) => sum + image.length, 0);
  return bytes > maxBytes ? `the images have ${bytes} bytes, and ${maxBytes} fit into a request` : null;
}
