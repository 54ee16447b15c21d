import { ArrayNotEmpty, IsArray, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import type { ProviderServices, ProviderType } from '../provider-type';
import { ComfyuiProvider } from './comfyui.provider';
import { ComfyuiServer } from './comfyui-server';
import type { GraphTemplate } from './graph-template';
import { loadTemplates, SHIPPED_TEMPLATES_DIR } from './load-templates';
import type { LoraFiles } from './task-loras';

/** What an entry of type `comfyui` may say besides what every instance has. */
export class ComfyuiSettings {
  /** The templates that the instance is for, which its probe then asks the server about; all that there are without it. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @IsString({ each: true })
  templates?: string[];

  /** Files in the server's folder of LoRAs by the catalog's id: `{ file, low_file }`, the second for the low-noise expert. */
  @IsOptional()
  @IsObject()
  loras: Record<string, unknown> = {};

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
  create: (instance, settings, services) =>
    new ComfyuiProvider({
      ...instance,
      server: new ComfyuiServer({
        ...instance,
        egress: services.egress,
        answerTimeoutMs: settings.answer_timeout_ms,
      }),
      logger: services.logger,
      templates: pickTemplates(settings.templates, services),
      loras: readLoras(settings.loras),
    }),
};

/** An operator's template takes the place of the shipped one of its name. */
function pickTemplates(names: string[] | undefined, { templatesDir }: ProviderServices): Map<string, GraphTemplate> {
  const all = new Map([
    ...loadTemplates(SHIPPED_TEMPLATES_DIR),
    ...(templatesDir === null ? [] : loadTemplates(templatesDir)),
  ]);
  if (!names) return all;
  return new Map(
    names.map((name) => {
      const template = all.get(name);
      if (!template)
        throw new Error(`templates: there is no template ${name}; there are ${[...all.keys()].join(', ')}`);
      return [name, template];
    }),
  );
}

function readLoras(settings: Record<string, unknown>): Map<string, LoraFiles> {
  return new Map(
    Object.entries(settings).map(([id, files]) => {
      if (!isLoraFiles(files)) throw new Error(`loras.${id}: must be { file, low_file }, the second if there is one`);
      return [id, files];
    }),
  );
}

function isLoraFiles(value: unknown): value is LoraFiles {
  const { file, low_file: lowFile, ...others } = (value ?? {}) as Record<string, unknown>;
  const isKnown = typeof value === 'object' && Object.keys(others).length === 0;
  return isKnown && typeof file === 'string' && (lowFile === undefined || typeof lowFile === 'string');
}
