export { isMp4 } from './container-checks';
export { type TakenVideo, takeVideo } from './take-video';
export { VideoProblem, type VideoProblemReason } from './video-problem';
