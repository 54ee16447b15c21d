/** Any rate: only the order of the pictures counts. */
const RATE = '25';

/** Where ffmpeg reads the elementary stream and writes raw pictures. */
export interface DecodingPlaces {
  /** The one protocol that it may use. */
  protocol: 'pipe' | 'file';
  input: string;
  output: string;
}

/**
 * ffmpeg reads an elementary stream and writes pixels, so that neither a demuxer nor a file name of the provider's has a say.
 * It gives up at the first error instead of painting over it.
 */
export function decodingArguments({ protocol, input, output }: DecodingPlaces): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-xerror', '-err_detect', 'explode'],
    ...['-protocol_whitelist', protocol, '-f', 'h264', '-r', RATE, '-i', input],
    // Numbered anew, so that no clock in the stream makes it drop or repeat a picture.
    ...['-vf', `setpts=N/(${RATE}*TB)`, '-r', RATE, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', output],
  ];
}
