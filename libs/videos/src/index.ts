export { isMp4 } from './container-checks';
export { type FrameSampling, type SampledFrame, sampleFrames } from './sample-frames';
export { type TakenVideo, takeVideo } from './take-video';
export { DECODER_THREAD, type WorkerProgram } from './tinyh264-decoder';
export { VideoProblem, type VideoProblemReason } from './video-problem';
