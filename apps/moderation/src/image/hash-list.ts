import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IsInt, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import { isRecord } from '@kinora/contracts/shared/texts';
import { ConfigError, type FieldPath } from '@kinora/service-kit';
import type { ModerationFile } from '../judging/moderation-file';
import { sha256Of, versionOf } from '../judging/sha256';
import { HashIndex } from './hash-index';
import { hashOfHex, type PerceptualHash } from './perceptual-hash';

/** The index of a million hashes takes a hundred megabytes. */
const MAX_LINES = 1_000_000;
const LINE = /^(sha256|pdq)[ \t,]+([\da-fA-F]{64})$/;

/** A list of known forbidden images: SHA-256 of the files, or perceptual hashes. */
export interface HashList {
  reason: string;
  sha256: ReadonlySet<string>;
  hashes: HashIndex;
  minQuality: number;
  /** Changes with the file and with the bounds; decisions record it. */
  version: string;
}

class HashListSettings {
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  /** Relative to the folder of moderation.yaml. */
  @IsString()
  @MinLength(1)
  file!: string;

  /** Copies of one image usually differ in up to 31 of 256 bits, and two images in about half. */
  @IsInt()
  @Min(0)
  @Max(64)
  max_distance_bits = 31;

  /** PDQ quality from 0 to 100. Below it the perceptual hash is not reliable, so only the SHA-256 of the file counts. */
  @IsInt()
  @Min(0)
  @Max(80)
  min_quality = 50;
}

/**
 * Reads the lists that the operator has mounted.
 * @throws ConfigError that names the first wrong line, of moderation.yaml or of a list.
 */
export function readHashLists(file: ModerationFile): HashList[] {
  return file.sections.hash_lists.map((entry, index) => readOne(file, entry, ['hash_lists', index]));
}

function readOne({ folder, document }: ModerationFile, entry: unknown, at: FieldPath): HashList {
  if (!isRecord(entry)) throw document.errorAt(at, 'must be a map');
  const { content, problems } = document.check(HashListSettings, entry, at);
  document.assertSound(problems);
  const { id, max_distance_bits, min_quality } = content;
  const file = path.resolve(folder, content.file);
  const text = readText(file);
  const { sha256, hashes } = readLines(file, text);
  return {
    reason: `hash_list:${id}`,
    sha256,
    hashes: new HashIndex(hashes, max_distance_bits),
    minQuality: min_quality,
    version: versionOf([id, max_distance_bits, min_quality, sha256Of(text)]),
  };
}

/**
 * One hash a line, `sha256 …` or `pdq …`, each with 64 hexadecimal digits; empty lines and lines that begin with # are
 * ignored.
 */
function readLines(file: string, text: string): { sha256: Set<string>; hashes: PerceptualHash[] } {
  const sha256 = new Set<string>();
  const hashes: PerceptualHash[] = [];
  const lines = text.trimEnd().split(/\r?\n/);
  if (lines.length > MAX_LINES)
    throw new ConfigError(`${file}:${MAX_LINES + 1}: a list has at most ${MAX_LINES} lines`);
  for (const [index, line] of lines.entries()) {
    const said = line.trim();
    if (said === '' || said.startsWith('#')) continue;
    const [, kind, hex = ''] = LINE.exec(said) ?? [];
    if (kind === undefined)
      throw new ConfigError(`${file}:${index + 1}: must be sha256 or pdq and 64 hexadecimal digits`);
    if (kind === 'sha256') sha256.add(hex.toLowerCase());
    else hashes.push(hashOfHex(hex));
  }
  // An empty list is refused, because it is usually a failed mount.
  if (sha256.size + hashes.length === 0) throw new ConfigError(`${file}:1: holds no hash`);
  return { sha256, hashes };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}
