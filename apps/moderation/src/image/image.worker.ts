import { type ImageReply, replyOrProblem } from '@kinora/images';
import { serveParent } from '@kinora/service-kit/serve-parent';
import type { ImageView } from '../judging/engine';
import type { ImageWork } from './image-process';
import { decodeImage } from './decode-image';
import { loadSexualContentModel, scoreSexualContent } from './score-sexual-content';

// TensorFlow.js does not check its allocations: without memory, each further score would fail, or be computed from other data. The next
// request starts another process.
const { prototype } = WebAssembly.Memory;
const { grow } = prototype;
prototype.grow = function (pages) {
  try {
    return grow.call(this, pages);
  } catch {
    return process.exit(1);
  }
};

// The start of the service waits for the canaries. A failure is repeated, and thrown, by the first score.
void loadSexualContentModel()
  .catch(() => undefined)
  // At the priority of a service: every image of every job waits for its score, and on a busy machine a lower one adds seconds to each.
  .then(() => serveParent(work, { niceness: 0 }));

function work(request: ImageWork): Promise<ImageReply<ImageView[] | number[]>> {
  return replyOrProblem<ImageView[] | number[]>(() =>
    'samples' in request ? scoreSexualContent(request.samples) : decodeAndScore(request.bytes, request),
  );
}

async function decodeAndScore(bytes: Buffer, options: { withJpeg: boolean }): Promise<ImageView[]> {
  const views = await decodeImage({ bytes }, options);
  const scores = await scoreSexualContent(views.map(({ sample }) => sample));
  return views.map(({ plane, jpeg }, at) => ({ plane, jpeg, sexual: scores[at] ?? NaN }));
}
