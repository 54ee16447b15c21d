/** ffmpeg decodes untrusted bytes: its environment has the PATH and none of our secrets. */
export function ffmpegEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] };
}
