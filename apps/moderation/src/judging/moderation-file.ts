import path from 'node:path';
import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import { type Environment, OperatorDocument } from '@kinora/service-kit';

/** Each term costs memory and time at the start. */
const MAX_TERMS = 1_000;

/** The terms that an operator adds to the lexicon. */
class RulesSection {
  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_terms: unknown[] = [];

  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_minor_terms: unknown[] = [];

  @IsArray()
  @ArrayMaxSize(MAX_TERMS)
  extra_sexual_terms: unknown[] = [];
}

/** The schema of the operator's moderation.yaml. No setting in it removes a check. */
class ModerationSections {
  /** `@IsObject` refuses an empty list, which class-validator would otherwise accept as a section without errors. */
  @IsObject()
  @ValidateNested()
  @Type(() => RulesSection)
  rules = new RulesSection();

  /** Validated entry by entry, with the settings class of each type. */
  @Allow()
  engines: unknown = [];

  @IsArray()
  @ArrayMaxSize(32)
  hash_lists: unknown[] = [];

  /** Ids of engines without which the service does not start. */
  @IsArray()
  @ArrayMaxSize(8)
  @IsString({ each: true })
  require: string[] = [];
}

/** The operator's file, whose top level is validated. */
export interface ModerationFile {
  folder: string;
  document: OperatorDocument;
  sections: ModerationSections;
}

/**
 * Null where the folder or the file does not exist.
 * @throws ConfigError that names the first wrong line.
 */
export function openModerationFile(configDir: string, environment: Environment): ModerationFile | null {
  if (configDir === '') return null;
  const document = OperatorDocument.open(path.join(configDir, 'moderation.yaml'), environment);
  return document && { folder: configDir, document, sections: readSections(document) };
}

/** @throws ConfigError that names the first wrong line. */
export function readSections(document: OperatorDocument): ModerationSections {
  const { content, problems } = document.check(ModerationSections, document.plain);
  document.assertSound(problems);
  return content;
}
