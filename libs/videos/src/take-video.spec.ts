import { mp4Box, movingSquare, withNumberInBox } from './mp4.fixtures';
import { boxesBetween } from './mp4-boxes';
import { takeVideo } from './take-video';

const provenance = 'trainedAlgorithmicMedia';

function boxTypes(bytes: Buffer): string[] {
  return [...boxesBetween(bytes, 0, bytes.length)].map(({ type }) => type);
}

describe('take video', () => {
  let video: Buffer;

  beforeAll(async () => {
    video = await movingSquare();
  });

  it('measures the video and puts its index first', async () => {
    const taken = await takeVideo(video, { provenance });
    expect(taken).toMatchObject({ mime: 'video/mp4', width: 96, height: 64, durationSeconds: 1.5, fps: 16 });
    expect(boxTypes(taken.bytes)).toEqual(['ftyp', 'moov', 'mdat', 'uuid']);
    expect(await takeVideo(taken.bytes, { provenance })).toEqual(taken);
  });

  it('writes provenance metadata', async () => {
    const { bytes } = await takeVideo(video, { provenance });
    const xmp = bytes.subarray(bytes.indexOf('uuid'));
    expect(xmp.subarray(4, 20).toString('hex')).toBe('be7acfcb97a942e89c71999491e3afac');
    expect(xmp.toString()).toContain('http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia');
  });

  it('gives the same bytes for the same bytes, at any time', async () => {
    const { bytes } = await takeVideo(video, { provenance });
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2031, 4, 5));
    const later = await takeVideo(video, { provenance });
    now.mockRestore();
    expect(later.bytes.equals(bytes)).toBe(true);
  });

  it('drops the metadata of the provider at every place of the file', async () => {
    const note = Buffer.from('{"workflow":"secret graph"}');
    const annotated = Buffer.concat([video, mp4Box('free', note), mp4Box('udta', mp4Box('meta', note))]);
    const { bytes } = await takeVideo(annotated, { provenance });
    expect(bytes.includes('secret')).toBe(false);
    expect(bytes.equals((await takeVideo(video, { provenance })).bytes)).toBe(true);
  });

  it.each([
    ['sides in the track header', 'tkhd', 76],
    ['sides in the sample entry', 'avc1', 24],
    ['the duration of the movie', 'mvhd', 16],
    ['the duration of the medium', 'mdhd', 16],
    ['the duration of the track', 'tkhd', 20],
  ])('uses the pictures and not %s', async (_what, box, offset) => {
    const lying = withNumberInBox(video, box, offset, 0x70_00_00_00);
    expect(await takeVideo(lying, { provenance })).toEqual(await takeVideo(video, { provenance }));
  });
});
