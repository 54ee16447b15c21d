/** Any rate: only the order of the pictures matters. */
const RATE = '25';

/** Where ffmpeg reads the elementary stream and writes raw pictures. */
export interface DecodingPlaces {
  /** The only protocol that ffmpeg may use. */
  protocol: 'pipe' | 'file';
  input: string;
  output: string;
}

/**
 * ffmpeg reads an elementary stream and writes pixels, so no demuxer and no file name from the provider is involved. It
 * stops at the first error instead of concealing it.
 */
export function decodingArguments({ protocol, input, output }: DecodingPlaces): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-xerror', '-err_detect', 'explode'],
    ...['-protocol_whitelist', protocol, '-f', 'h264', '-r', RATE, '-i', input],
    // Timestamps are replaced by a counter, so that no clock in the stream makes ffmpeg drop or repeat a picture.
    ...['-vf', `setpts=N/(${RATE}*TB)`, '-r', RATE, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', output],
  ];
}
