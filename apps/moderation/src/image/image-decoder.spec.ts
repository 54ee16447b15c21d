import { deadlineIn, runInCall } from '@kinora/bus';
import sharp from 'sharp';
import { sha256Of } from '../judging/sha256';
import { decodeImage } from './decode-image';
import { UnreadableImage } from './image-decoder';
import { imageProcessScoring, startImageProcess, testDecoder } from '../../test/gate.fixtures';

const inCallOf = <Result>(milliseconds: number, work: () => Result): Result =>
  runInCall({ requestId: 'req_spec', deadlineAtMs: deadlineIn(milliseconds) }, work);
const inCallFor = <Result>(accountId: string, work: () => Result): Result =>
  runInCall({ requestId: 'req_spec', deadlineAtMs: deadlineIn(60_000), accountId }, work);

/** Work that runs until the spec ends it. */
function held(): { work: () => Promise<void>; begun: () => boolean; end: () => void } {
  let hasBegun = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = () => {
    hasBegun = true;
    return ended;
  };
  return { work, begun: () => hasBegun, end: () => end() };
}

describe('image decoder', () => {
  it('holds files up to the byte limit at once, and the others wait', async () => {
    const decoder = testDecoder({ filesMaxBytes: 100 });
    const [first, second] = [held(), held()];
    const firstEnd = decoder.withFiles(60, first.work);
    const secondEnd = decoder.withFiles(60, second.work);
    expect([first.begun(), second.begun()]).toEqual([true, false]);
    first.end();
    await firstEnd;
    expect(second.begun()).toBe(true);
    second.end();
    await secondEnd;
  });

  it('never begins work whose caller has timed out, and answers with a retryable error', async () => {
    const decoder = testDecoder({ filesMaxBytes: 100, decodesAtOnce: 1 });
    const [first, late] = [held(), held()];
    const firstEnd = decoder.withFiles(60, first.work);
    const refused = inCallOf(5, () => decoder.withFiles(60, late.work));
    await expect(refused).rejects.toMatchObject({ code: 'capacity' });
    first.end();
    await firstEnd;
    expect(late.begun()).toBe(false);

    const overdue = held();
    // Work that begins in spite of the deadline ends at once, so the test fails instead of hanging.
    overdue.end();
    await expect(inCallOf(-1, () => decoder.withVideo(overdue.work))).rejects.toMatchObject({ code: 'capacity' });
    expect(overdue.begun()).toBe(false);
  });

  it('decodes a bounded number of images at once, a video beside them, and each image once for all engines', async () => {
    const decoder = testDecoder({ decodesAtOnce: 1 });
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#c8141480' } })
      .png()
      .toBuffer();
    const video = held();
    const videoEnd = decoder.withVideo(video.work);
    const blockedVideo = held();
    const blockedVideoEnd = decoder.withVideo(blockedVideo.work);
    const shown = await decoder.decode({ param: 'image', bytes, sha256: sha256Of(bytes) }, { withJpeg: true });
    expect(shown.views()).toHaveLength(2);
    expect(shown.views()).toBe(shown.views());
    expect([video.begun(), blockedVideo.begun()]).toEqual([true, false]);
    video.end();
    await videoEnd;
    expect(blockedVideo.begun()).toBe(true);
    blockedVideo.end();
    await blockedVideoEnd;
  });

  it('leaves half of the decodes to other accounts, however much work one account has waiting', async () => {
    const decoder = testDecoder({ decodesAtOnce: 2 });
    const [first, second, other] = [held(), held(), held()];
    const ends = [first, second].map(({ work }) => inCallFor('busy', () => decoder.withVideo(work)));
    const otherEnd = inCallFor('other', () => decoder.withVideo(other.work));
    expect([first.begun(), second.begun(), other.begun()]).toEqual([true, false, true]);
    for (const { end } of [first, second, other]) end();
    await Promise.all([...ends, otherEnd]);
  });

  describe('of large images', () => {
    const RED = { r: 200, g: 20, b: 20, alpha: 0.5 };
    const process = startImageProcess();
    const show = (bytes: Buffer, decoder = testDecoder({}, process)) =>
      decoder.decode({ param: 'image', bytes, sha256: sha256Of(bytes) }, { withJpeg: true });

    afterAll(() => process.onApplicationShutdown());

    it.each([
      ['in this process', 1_024],
      ['in the other process', 1_032],
    ])('decodes one %s, and scores it (width %s)', async (_, width) => {
      const bytes = await sharp({ create: { width, height: 1_024, channels: 4, background: RED } })
        .png()
        .toBuffer();
      const decoded = await decodeImage({ bytes }, { withJpeg: true });
      const views = (await show(bytes)).views();
      expect(views).toEqual(decoded.map(({ plane, jpeg }) => ({ plane, jpeg, sexual: expect.any(Number) as number })));
    });

    it('does not decode one that its process cannot begin before the deadline', async () => {
      const bytes = await sharp({ create: { width: 2_048, height: 1_024, channels: 4, background: RED } })
        .png()
        .toBuffer();
      const cold = startImageProcess();
      // The process takes longer to start.
      await expect(inCallOf(20, () => show(bytes, testDecoder({}, cold)))).rejects.toMatchObject({
        code: 'capacity',
      });
    });

    it('reports a damaged one when an engine reads the views', async () => {
      const whole = await sharp({ create: { width: 2_048, height: 1_024, channels: 4, background: RED } })
        .png()
        .toBuffer();
      const shown = await show(whole.subarray(0, whole.length / 2));
      expect(() => shown.views()).toThrow(UnreadableImage);
    });
  });

  it('reports bytes that are not an image when an engine reads the views', async () => {
    const bytes = Buffer.from('no image');
    const shown = await testDecoder().decode({ param: null, bytes, sha256: sha256Of(bytes) }, { withJpeg: false });
    expect(() => shown.views()).toThrow('');
  });

  it('asks the image model nothing about a file that is only looked up', async () => {
    const asked = (): Promise<number[]> => Promise.reject(new Error('The model was asked.'));
    const decoder = testDecoder({}, imageProcessScoring(asked));
    const plain = sharp({ create: { width: 320, height: 200, channels: 3, background: '#3a6' } }).png();
    const bytes = await plain.toBuffer();
    const image = { param: null, bytes, sha256: sha256Of(bytes) };
    expect(await decoder.planesOf(image)).toHaveLength(1);
    const judged = await decoder.decode(image, { withJpeg: false });
    expect(() => judged.views()).toThrow('The model was asked.');
    await expect(decoder.planesOf({ ...image, bytes: Buffer.from('no image') })).rejects.toThrow(UnreadableImage);
  });
});
