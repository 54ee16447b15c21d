/** ffmpeg decodes the bytes of strangers: it is told where programs lie, and none of the secrets around it. */
export function ffmpegEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] };
}
