import { type Random, seededRandom } from '../../test/evasions/random.fixtures';
import { HashIndex } from './hash-index';
import { hashOf, hashOfHex, hexOfHash, type PerceptualHash, qualityOf } from './perceptual-hash';
import { pdqByDefinition } from '../../test/pdq-definition.fixtures';

const random = seededRandom(11);

function anyHash(source: Random): PerceptualHash {
  return Uint32Array.from({ length: 8 }, () => source() * 2 ** 32);
}

/** Another hash that differs in `bits` bits, spread as evenly as possible: the hardest case for the index. */
function withBitsTurned(hash: PerceptualHash, bits: number): PerceptualHash {
  const turned = hash.slice();
  for (let bit = 0; bit < bits; bit++) {
    const at = (bit * 16 + Math.floor(bit / 16) * 3) % 256;
    turned[at >> 5] = (turned[at >> 5] ?? 0) ^ (1 << (at & 31));
  }
  return turned;
}

describe('hash index', () => {
  it.each([
    ['few', 10],
    ['many', 5_000],
  ])('finds among %s hashes those within the bound, and no others', (_amount, count) => {
    const hashes = Array.from({ length: count }, () => anyHash(random));
    const known = hashes[count - 1] ?? anyHash(random);
    for (const bound of [0, 31, 64]) {
      const index = new HashIndex(hashes, bound);
      const found = Array.from({ length: 68 }, (_, bits) => index.hasNear(withBitsTurned(known, bits)));

      expect(found.map((isNear, bits) => isNear === bits <= bound)).not.toContain(false);
    }
  });

  it('finds nothing in an empty index', () => {
    expect(new HashIndex([], 64).hasNear(anyHash(random))).toBe(false);
  });
});

describe('perceptual hash', () => {
  it('has the bits and the quality that the definition of PDQ gives the same luminances', () => {
    for (const contrast of [255, 60, 8]) {
      const plane = Float64Array.from({ length: 64 * 64 }, () => Math.floor(random() * contrast));

      expect({ hex: hexOfHash(hashOf(plane)), quality: qualityOf(plane) }).toEqual(pdqByDefinition(plane));
    }
    const soft = Float64Array.from({ length: 64 * 64 }, (_, at) => 2 * (at % 64) + Math.sin(at));
    expect(qualityOf(soft)).toBe(pdqByDefinition(soft).quality);
  });

  it('is unchanged after it was written and parsed', () => {
    const hash = anyHash(random);

    expect(hashOfHex(hexOfHash(hash))).toEqual(hash);
    expect(hashOfHex(`${'0'.repeat(63)}1`)[0]).toBe(1);
  });
});
