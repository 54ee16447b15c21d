import { boxesBetween } from './mp4-boxes';
import { mp4Box, movingSquare, withBoxReplaced, withNumberInBox } from './mp4.fixtures';
import { readVideo } from './read-video';

const MEDIUM = ['moov', 'trak', 'mdia'];
const HANDLER = [...MEDIUM, 'hdlr'];
const SIZES = [...MEDIUM, 'minf', 'stbl', 'stsz'];
const TIMES = [...MEDIUM, 'minf', 'stbl', 'stts'];
const RUN = mp4Box('traf', mp4Box('tfhd', uint32s(0x38, 1, 1, 1, 0)), mp4Box('trun', uint32s(0, 0xffff_ffff)));
const PLACES = mp4Box('tfra', uint32s(0, 1, 0, 0xffff_ffff), Buffer.alloc(11));

function table(...numbers: number[]): Buffer {
  return Buffer.concat([Buffer.alloc(4), uint32s(numbers.length / 2), uint32s(...numbers)]);
}

function uint32s(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, i) => bytes.writeUInt32BE(number, i * 4));
  return bytes;
}

describe('read video', () => {
  let video: Buffer;

  beforeAll(async () => {
    video = await movingSquare();
  });

  const reasonOf = async (bytes: Buffer) =>
    readVideo(bytes).then(
      () => 'read',
      (problem: { reason?: string; stack?: string }) => problem.reason ?? problem.stack,
    );

  it.each<[string, (video: Buffer) => Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'not_a_video'],
    ['a text', () => Buffer.from('no video at all, only words'), 'not_a_video'],
    ['a PNG', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'not_a_video'],
    ['a WebM', () => Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'), 'not_a_video'],
    ['an MP4 without a video track', (it) => withBoxReplaced(it, HANDLER, handler('soun')), 'not_a_video'],
    ['billions of declared samples', (it) => withBoxReplaced(it, TIMES, table(0xffff_ffff, 1)), 'too_many_frames'],
    ['billions of samples in a chunk', (it) => withNumberInBox(it, 'stsc', 12, 0xffff_ffff), 'too_many_frames'],
    ['offsets beyond their box', (it) => withNumberInBox(it, 'stco', 4, 0xffff_ffff), 'damaged'],
    ['sizes beyond their box', (it) => withNumberInBox(it, 'stsz', 8, 0xffff_ffff), 'damaged'],
    ['a video without pictures', (it) => withBoxReplaced(it, SIZES, Buffer.alloc(12)), 'damaged'],
    ['pictures that last too long', (it) => withBoxReplaced(it, TIMES, table(24, 90_000 * 5)), 'too_long'],
    ['pictures shown at the same time', (it) => withBoxReplaced(it, TIMES, table(24, 0)), 'damaged'],
    [
      'a picture shown far longer',
      (it) => withBoxReplaced(it, TIMES, table(3, 100, 1, 90_000, 20, 100)),
      'unsupported',
    ],
    ['a fragment in the index', (it) => withPartInMoov(it, mp4Box('moof', RUN)), 'unsupported'],
    ['a box that only fragments have', (it) => withPartInMoov(it, PLACES), 'unsupported'],
    ['a file in fragments', (it) => Buffer.concat([it, mp4Box('moof')]), 'unsupported'],
    ['thousands of parts', (it) => Buffer.concat([it, ...Array<Buffer>(1_000).fill(mp4Box('free'))]), 'damaged'],
    ['room for thousands of tracks', (it) => withPartInMoov(it, mp4Box('free', Buffer.alloc(8 * 2 ** 20))), 'damaged'],
  ])('refuses %s', async (_what, make, reason) => {
    expect(await reasonOf(make(video))).toBe(reason);
  });

  it('refuses a video that is cut off at any place', async () => {
    const read = new Set<string | undefined>();
    for (let bytes = 8; bytes < video.length; bytes += 97) read.add(await reasonOf(video.subarray(0, bytes)));
    expect([...read]).toEqual(['damaged']);
  });

  it('either reads damaged bytes or reports them as damaged, quickly', async () => {
    const reasons = new Set<string | undefined>();
    for (let seed = 1; seed <= 400; seed++) reasons.add(await reasonOf(damaged(video, seed)));
    const known = ['read', 'damaged', 'not_a_video', 'unsupported', 'too_long', 'too_many_frames', 'too_large_side'];
    expect(known).toEqual(expect.arrayContaining([...reasons]));
  });

  it('refuses sizes of zero bits, of which a few bytes declare billions', async () => {
    const packed = withBoxReplaced(video, SIZES, uint32s(0, 0, 0xffff_ffff));
    packed.write('stz2', packed.indexOf('stsz'));
    expect(await reasonOf(packed)).toBe('unsupported');
  });

  it('reads a large file once, for any number of parts and tables', async () => {
    const parts = Array.from({ length: 900 }, () => mp4Box('free'));
    const endless = Buffer.from('stts\0\0\0\0\xff\xff\xff\xff', 'latin1');
    const tables = Array.from({ length: 3_000 }, () => endless);
    const room = Buffer.alloc(16_000_000);
    const before = process.cpuUsage();
    expect(await reasonOf(Buffer.concat([video, ...parts, mp4Box('free', room)]))).toBe('read');
    expect(await reasonOf(Buffer.concat([video, mp4Box('free', ...tables, room)]))).toBe('too_many_frames');
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it('refuses a unit that would be two without the container', async () => {
    const { end } = [...boxesBetween(video, 0, video.length)].find(({ type }) => type === 'mdat') ?? { end: 0 };
    const doubled = Buffer.from(video).fill(Buffer.from([0, 0, 1, 0x65]), end - 20, end - 16);
    expect(await reasonOf(doubled)).toBe('damaged');
  });

  it('refuses decoder parameters that contain another unit, such as a message or a picture', async () => {
    const at = video.indexOf('avcC') + 4 + 8;
    for (const type of [5, 6]) {
      const disguised = Buffer.from(video);
      disguised[at + disguised.readUInt16BE(at - 2) + 3] = type;
      expect(await reasonOf(disguised)).toBe('damaged');
    }
  });

  it('returns every picture, even if an edit list hides some', async () => {
    const hiding = hideFirstSecond(video);
    expect((await readVideo(hiding)).timing).toEqual((await readVideo(video)).timing);
  });

  it('refuses a video that is stored turned', async () => {
    const turned = [0, 0x0001_0000, 0, 0xffff_0000, 0, 0].reduce(
      (bytes, number, i) => withNumberInBox(bytes, 'tkhd', 40 + i * 4, number),
      video,
    );
    expect(await reasonOf(turned)).toBe('unsupported');
  });
});

function handler(kind: string): Buffer {
  return Buffer.concat([Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13)]);
}

/** The same file with another part at the end of its index. */
function withPartInMoov(video: Buffer, part: Buffer): Buffer {
  const parts = [...boxesBetween(video, 0, video.length)].map(({ type, start, end }) =>
    mp4Box(type, video.subarray(start, end), ...(type === 'moov' ? [part] : [])),
  );
  return Buffer.concat(parts);
}

/** An edit list of a thousand entries that begins after one second. */
function hideFirstSecond(video: Buffer): Buffer {
  const entries = Array.from({ length: 1_000 }, () => uint32s(1_000, 90_000, 0x0001_0000));
  const list = mp4Box('edts', mp4Box('elst', Buffer.alloc(4), uint32s(entries.length), ...entries));
  const parts = [...boxesBetween(video, 0, video.length)].map(({ type, start, end }) => {
    const inside = video.subarray(start, end);
    return type === 'moov' ? withListInTrack(inside, list) : mp4Box(type, inside);
  });
  return Buffer.concat(parts);
}

function withListInTrack(moov: Buffer, list: Buffer): Buffer {
  const parts = [...boxesBetween(moov, 0, moov.length)].map(({ type, start, end }) =>
    mp4Box(type, ...(type === 'trak' ? [list] : []), moov.subarray(start, end)),
  );
  return mp4Box('moov', ...parts);
}

/** The same file with some bytes changed, at places that depend on the seed. */
function damaged(bytes: Buffer, seed: number): Buffer {
  const copy = Buffer.from(bytes);
  let state = seed;
  for (let i = 0; i < 8; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    copy[state % copy.length] = state >>> 24;
  }
  return copy;
}
