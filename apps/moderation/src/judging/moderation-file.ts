import path from 'node:path';
import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { type Environment, OperatorDocument } from '@kinora/service-kit';

/** Each term costs memory and time at the start; a list without end would have no bound. */
const MAX_TERMS = 1_000;

/** What an operator may add to the lexicon. */
export class RulesSection {
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

/** What the operator's moderation.yaml may say. There is no word in it that takes anything away. */
export class ModerationSections {
  /** An empty list would have nothing to validate, and be taken for a section. */
  @IsObject()
  @ValidateNested()
  @Type(() => RulesSection)
  rules = new RulesSection();

  /** Checked one by one, each by the class of its type as well. */
  @Allow()
  engines: unknown = [];

  @IsArray()
  @ArrayMaxSize(32)
  hash_lists: unknown[] = [];
}

/** The operator's file, whose top has been checked. */
export interface ModerationFile {
  folder: string;
  document: OperatorDocument;
  sections: ModerationSections;
}

/**
 * Null where there is no folder, or no such file in it.
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
