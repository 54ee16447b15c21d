export { BUILT_IN_DECODER, type NodeProgram, type TakenVideo, takeVideo } from './take-video';
export { findDecodingProblem, type FrameSampling, type SampledFrame, sampleFrames } from './sample-frames';
export { isMp4 } from './container-checks';
export { VideoProblem, type VideoProblemReason } from './video-problem';
