import { type ImageReply, replyOrProblem } from '@kinora/images';
import { serveParent } from '@kinora/service-kit/serve-parent';
import { toReference } from './reference-image';

serveParent<Buffer, ImageReply<Buffer>>((bytes) => replyOrProblem(() => toReference(bytes)));
