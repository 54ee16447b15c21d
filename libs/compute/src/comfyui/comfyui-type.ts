import { ArrayNotEmpty, IsArray, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import type { ProviderType } from '../provider-type';
import { ComfyuiProvider } from './comfyui.provider';
import { ComfyuiServer } from './comfyui-server';
import { loadOwnTemplates, pickTemplates } from './pick-templates';
import { readLoraFiles } from './read-lora-files';

/** What an entry of type `comfyui` may say besides what every instance has. */
export class ComfyuiSettings {
  /** The templates that the instance is for, of which its probe asks the server; all that there are without it. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  templates?: string[];

  /** Files in the server's folder of LoRAs by the catalog's id: `{ file, low_file }`, the second for the low-noise expert. */
  @IsOptional()
  @IsObject()
  loras: Record<string, unknown> = {};

  /** Where `shared_lora_dir` lies in the server's folder of LoRAs; left out where it is that folder. */
  @IsOptional()
  @IsString()
  shared_lora_subfolder?: string;

  /** How long an answer may take: a server that loads a model of tens of gigabytes stands still for a while. */
  @IsOptional()
  @IsInt()
  @Min(1_000)
  @Max(300_000)
  answer_timeout_ms: number = 30_000;
}

export const comfyuiType: ProviderType<ComfyuiSettings> = {
  type: 'comfyui',
  settings: ComfyuiSettings,
  // One that runs, and one that keeps it busy.
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
      // Nobody has the models of all that ship: the probe asks for those that somebody has chosen.
      chosen: settings.templates ?? [...loadOwnTemplates(services.templatesDir).keys()],
      loras: readLoraFiles(settings.loras),
      sharedLoraFolder: settings.shared_lora_subfolder ?? '',
    }),
};
