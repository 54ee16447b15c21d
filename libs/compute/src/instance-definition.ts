import { Allow, IsInt, IsObject, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { OptionalSetting } from '@kinora/contracts/shared/field-rules';
import { AreHeaders } from '@kinora/service-kit';

/** The settings that every entry of providers.yaml has; the settings of the type are beside them. */
export class InstanceDefinition {
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  @IsString()
  type!: string;

  /** Secrets belong in `headers`, which are never logged or sent to other hosts. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'], disallow_auth: true })
  url!: string;

  @IsObject()
  @AreHeaders()
  headers: Record<string, string> = {};

  @IsInt()
  @Min(1)
  @Max(100_000)
  concurrency = 1;

  /** The folder, as this process sees it, from which the instance loads LoRAs; jobs stores LoRAs by URL there. */
  @OptionalSetting()
  @IsString()
  @MinLength(1)
  shared_lora_dir?: string;
}

/** The top level of providers.yaml; each entry is also validated by the class of its type. */
export class ProvidersFile {
  @Allow()
  providers: unknown = [];
}

/** What a column of type `json` holds. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/** Appended to every negative prompt. The API does not return them with the job (decisions: Moderation). */
const AGE_SAFETY_TERMS = 'child, minor, teenager, underage, childlike, youthful body';

/** The negative prompt for a provider: the client's, unchanged, followed by the age-safety terms. */
export function withAgeSafetyTerms(negativePrompt: string | undefined): string {
  return negativePrompt ? `${negativePrompt}, ${AGE_SAFETY_TERMS}` : AGE_SAFETY_TERMS;
}

/** The result of `withAgeSafetyTerms` with the age-safety terms first, for a backend that may truncate the end. */
export function ageSafetyTermsFirst(negativePrompt: string): string {
  if (!negativePrompt.endsWith(AGE_SAFETY_TERMS)) return `${AGE_SAFETY_TERMS}, ${negativePrompt}`;
  const ofClient = negativePrompt.slice(0, -AGE_SAFETY_TERMS.length).replace(/, $/, '');
  return ofClient === '' ? AGE_SAFETY_TERMS : `${AGE_SAFETY_TERMS}, ${ofClient}`;
}

/** Seeds wrap around at this number (decisions: Seeds). */
const SEEDS = 2_147_483_648;

export function seedOfOutput(seed: number, index: number): number {
  return (seed + index) % SEEDS;
}
