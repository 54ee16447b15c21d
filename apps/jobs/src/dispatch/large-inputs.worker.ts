import { type ImageReply, replyOrProblem } from '@kinora/images';
import { serveParent } from '@kinora/service-kit/serve-parent';
import { toReference } from './reference-image';

// Its job waits in a queue, while the client of an image that is screened waits for the response.
serveParent<Buffer, ImageReply<Buffer>>((bytes) => replyOrProblem(() => toReference(bytes)), { isAwaited: false });
