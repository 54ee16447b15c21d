export { decodeDataUri, isDataUri } from './data-uri';
export { decoding, loadDecoder, openImage } from './image-decoder';
export { type ImageFormat, type ImageMime, sniffMime } from './image-format';
export { ImageProblem, type ImageProblemReason } from './image-problem';
export type { ImageBounds } from './image-header';
export { type ImageFacts, INPUT_BOUNDS, inspectImage, readImageFacts } from './inspect-image';
export { type OutputSpec, prepareOutput, type PreparedOutput } from './prepare-output';
export { type Provenance, provenanceXmp } from './provenance';
export { type SanitizedImage, sanitizeImage } from './sanitize-image';
