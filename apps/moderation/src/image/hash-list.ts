import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IsInt, IsString, Matches, Max, Min, MinLength } from 'class-validator';
import { ConfigError, type FieldPath } from '@kinora/service-kit';
import type { ModerationFile } from '../gate/moderation-file';
import type { PerceptualHash } from './perceptual-hash';
import { hashOfHex } from './pdq-hex';

/** Every picture is compared with every hash; beyond this a picture would take too long. */
const MAX_LINES = 500_000;
const LINE = /^(sha256|pdq)[ \t,]+([\da-fA-F]{64})$/;

/** Pictures that somebody else knows to be forbidden: the very files, or how they look. */
export interface HashList {
  reason: string;
  sha256: ReadonlySet<string>;
  hashes: readonly PerceptualHash[];
  maxDistanceBits: number;
  minQuality: number;
}

class HashListSettings {
  @Matches(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  id!: string;

  /** Relative to the folder of moderation.yaml. */
  @IsString()
  @MinLength(1)
  file!: string;

  /** Two copies of one picture differ in up to 31 of 256 bits as a rule; two pictures in about half. */
  @IsInt()
  @Min(0)
  @Max(64)
  max_distance_bits = 31;

  /** Of a picture with fewer features, from 0 to 100, the hash says little: only the very file counts then. */
  @IsInt()
  @Min(0)
  @Max(80)
  min_quality = 50;
}

/**
 * The lists that the operator has mounted.
 * @throws ConfigError that names the first wrong line, of moderation.yaml or of a list.
 */
export function readHashLists(file: ModerationFile): HashList[] {
  return file.sections.hash_lists.map((entry, index) => readOne(file, entry, ['hash_lists', index]));
}

function readOne({ folder, document }: ModerationFile, entry: unknown, at: FieldPath): HashList {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw document.errorAt(at, 'must be a map');
  const { content, problems } = document.check(HashListSettings, entry, at);
  document.assertSound(problems);
  return {
    reason: `hash_list:${content.id}`,
    ...readLines(path.resolve(folder, content.file)),
    maxDistanceBits: content.max_distance_bits,
    minQuality: content.min_quality,
  };
}

/** One hash a line, `sha256 …` or `pdq …`, each 64 hexadecimal figures; empty lines and those after a # say nothing. */
function readLines(file: string): Pick<HashList, 'sha256' | 'hashes'> {
  const sha256 = new Set<string>();
  const hashes: PerceptualHash[] = [];
  const lines = readText(file).split(/\r?\n/);
  if (lines.length > MAX_LINES)
    throw new ConfigError(`${file}:${MAX_LINES + 1}: a list has at most ${MAX_LINES} lines`);
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const [, kind, hex = ''] = LINE.exec(text) ?? [];
    if (kind === undefined)
      throw new ConfigError(`${file}:${index + 1}: must be sha256 or pdq and 64 hexadecimal figures`);
    if (kind === 'sha256') sha256.add(hex.toLowerCase());
    else hashes.push(hashOfHex(hex));
  }
  // An empty list is a mount that failed more often than a list of nothing.
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
