import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '@kinora/service-kit';
import sharp, { type Sharp } from 'sharp';
import { openModerationFile } from '../judging/moderation-file';
import { sha256Of } from '../judging/sha256';
import { readHashLists } from './hash-list';
import { ImageHashEngine } from './image-hash.engine';
import { decodeImage } from './decode-image';
import { shownImage } from '../../test/gate.fixtures';
import { hashOf, hexOfHash } from './perceptual-hash';
import { COPIES } from '../../test/image-copies.fixtures';
import { randomImage } from '../../test/random-images.fixtures';

/** Transformations that every copy of a listed image survives. A list has one hash for each image, so the crops are small. */
const SURVIVED = [
  'as JPEG of quality 50',
  'as WebP',
  'at half its size',
  'at 150 % of its size',
  'at double its size',
  'in warmer colours',
  'in colder colours',
  'mirrored',
];

describe('hash lists', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'moderation-'));
  const hashes = path.join(folder, 'hashes.txt');
  afterAll(() => rmSync(folder, { recursive: true }));

  const image = (number: number): Promise<Buffer> => randomImage(number, 160).png().toBuffer();
  const pdqOf = async (bytes: Buffer): Promise<string> => {
    const [view] = await decodeImage({ bytes }, { withJpeg: true });
    return view ? hexOfHash(hashOf(view.plane)) : '';
  };
  const build = (list: string, settings = '') => {
    writeFileSync(hashes, list);
    return open(`{ id: shared, file: hashes.txt${settings} }`);
  };
  const open = (entry: string): ImageHashEngine => {
    writeFileSync(path.join(folder, 'moderation.yaml'), `hash_lists:\n  - ${entry}\n`);
    const file = openModerationFile(folder, {});
    return new ImageHashEngine([], file ? readHashLists(file) : []);
  };
  const objectionTo = async (engine: ImageHashEngine, bytes: Buffer) => engine.findObjection(await shownImage(bytes));

  it('block the identical file, however its hash is written', async () => {
    const bytes = await image(1);
    const engine = build(`# of a partner\n\r\nsha256,${sha256Of(bytes).toUpperCase()}\n`);

    expect(await objectionTo(engine, bytes)).toBe('hash_list:shared');
    expect(await objectionTo(engine, await image(2))).toBeNull();
  });

  it('block copies of a listed image', async () => {
    const bytes = await image(5);
    const engine = build(`pdq ${await pdqOf(bytes)}\n`);
    const missed: string[] = [];
    for (const name of SURVIVED) {
      const copy = (COPIES[name] as (source: Sharp) => Sharp)(sharp(bytes));
      if ((await objectionTo(engine, await copy.toBuffer())) === null) missed.push(name);
    }

    expect(missed).toEqual([]);
    for (const other of [6, 7]) expect(await objectionTo(engine, await image(other))).toBeNull();
  });

  it('use the distance and the quality that are set for them', async () => {
    const bytes = await image(5);
    const hash = BigInt(`0x${await pdqOf(bytes)}`);
    const turned = (bits: number): string => (hash ^ (2n ** BigInt(bits) - 1n)).toString(16).padStart(64, '0');
    const soft = await sharp(bytes).linear(0.02, 120).png().toBuffer();

    expect(await objectionTo(build(`pdq ${turned(31)}\n`), bytes)).toBe('hash_list:shared');
    expect(await objectionTo(build(`pdq ${turned(32)}\n`), bytes)).toBeNull();
    expect(await objectionTo(build(`pdq ${turned(4)}\n`, ', max_distance_bits: 3'), bytes)).toBeNull();
    expect(await objectionTo(build(`pdq ${await pdqOf(soft)}\n`), soft)).toBeNull();
    expect(await objectionTo(build(`pdq ${await pdqOf(soft)}\n`, ', min_quality: 0'), soft)).toBe('hash_list:shared');
  });

  it('change the version of the engine with each hash and each bound', () => {
    const [one = '', other = ''] = ['a'.repeat(64), 'b'.repeat(64)];
    const engines = [
      build(`sha256 ${one}\n`),
      build(`sha256 ${other}\n`),
      build(`sha256 ${other}\n`, ', min_quality: 49'),
    ];

    expect(new Set(engines.map(({ version }) => version)).size).toBe(3);
  });

  it.each([
    ['', '', 'hashes.txt:1: holds no hash'],
    ['# nothing\n\n', '', 'hashes.txt:1: holds no hash'],
    [`sha256 ${'a'.repeat(64)}\nsha256 ${'a'.repeat(63)}\n`, '', 'hashes.txt:2: must be sha256 or pdq and 64'],
    [`pdq ${'a'.repeat(65)}\n`, '', 'hashes.txt:1: must be sha256 or pdq and 64'],
    [`\n\npdq ${'g'.repeat(64)}\n`, '', 'hashes.txt:3: must be sha256 or pdq and 64'],
    [`md5 ${'a'.repeat(64)}\n`, '', 'hashes.txt:1: must be sha256 or pdq and 64'],
    [`${'a'.repeat(64)}\n`, '', 'hashes.txt:1: must be sha256 or pdq and 64'],
    [`pdq ${'a'.repeat(64)}\n`, ', max_distance_bits: 65', 'max_distance_bits'],
    [`pdq ${'a'.repeat(64)}\n`, ', max_distance_bits: -1', 'max_distance_bits'],
    [`pdq ${'a'.repeat(64)}\n`, ', min_quality: 81', 'min_quality'],
    [`pdq ${'a'.repeat(64)}\n`, ', enabled: false', 'enabled'],
  ])('are refused with the line that is wrong: %j%s', (list, settings, problem) => {
    expect(() => build(list, settings)).toThrow(ConfigError);
    expect(() => build(list, settings)).toThrow(problem);
  });

  it('are refused when the file does not exist', () => {
    expect(() => open('{ id: shared, file: missing.txt }')).toThrow('missing.txt: cannot be read (ENOENT)');
  });
});
