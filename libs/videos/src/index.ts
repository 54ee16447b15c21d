export { BUILT_IN_DECODER, type NodeProgram } from './take-video';
export { findDecodingProblem } from './sample-frames';
export { isMp4 } from './container-checks';
export { type FrameSampling, type SampledFrame, sampleFrames } from './sample-frames';
export { type TakenVideo, takeVideo } from './take-video';

export { VideoProblem, type VideoProblemReason } from './video-problem';
