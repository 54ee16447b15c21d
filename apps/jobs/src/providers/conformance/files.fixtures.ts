import { PICTURE } from '../../fixtures/worker.fixtures';

/** Told apart from PICTURE by its bytes, which is all that an adapter may look at. */
export const OTHER_PICTURE = Buffer.concat([PICTURE, Buffer.from('another')]);

/** The head of an MP4 file: adapters carry videos, and never open them. */
export const CLIP = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypmp42'),
  Buffer.from([0, 0, 0, 0]),
  Buffer.from('mp42isom'),
  Buffer.alloc(512, 7),
]);
