import { ArrayNotEmpty, IsArray, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import type { ProviderType } from '../provider-type';
import { ComfyuiProvider } from './comfyui.provider';
import { ComfyuiServer } from './comfyui-server';
import { loadOwnTemplates, pickTemplates } from './load-templates';
import { readLoraFiles } from './task-loras';

/** Settings of type `comfyui`, besides those of every instance. */
export class ComfyuiSettings {
  /** The templates of the instance, which its probe checks; all templates without this setting. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  templates?: string[];

  /** Files in the server's folder of LoRAs by the catalog's id: `{ file, low_file }`, the second for the low-noise expert. */
  @IsOptional()
  @IsObject()
  loras: Record<string, unknown> = {};

  /** The path of `shared_lora_dir` within the server's folder of LoRAs; left out where both are the same folder. */
  @IsOptional()
  @IsString()
  shared_lora_subfolder?: string;

  /** Timeout of an answer: a server that loads a model of tens of gigabytes does not answer for a while. */
  @IsOptional()
  @IsInt()
  @Min(1_000)
  @Max(300_000)
  answer_timeout_ms: number = 30_000;
}

export const comfyuiType: ProviderType<ComfyuiSettings> = {
  type: 'comfyui',
  settings: ComfyuiSettings,
  // One prompt runs, and one waits, so that the server is never idle.
  defaultConcurrency: 2,
  create: (instance, settings, services) =>
    new ComfyuiProvider({
      ...instance,
      server: new ComfyuiServer({
        ...instance,
        egress: services.egress,
        answerTimeoutMs: settings.answer_timeout_ms,
      }),
      logger: services.logger,
      templates: pickTemplates(settings.templates, services.templatesDir),
      // No server has the models of all shipped templates, so the probe checks only those that the operator has chosen.
      chosen: settings.templates ?? [...loadOwnTemplates(services.templatesDir).keys()],
      loras: readLoraFiles(settings.loras),
      sharedLoraFolder: settings.shared_lora_subfolder ?? '',
    }),
};
