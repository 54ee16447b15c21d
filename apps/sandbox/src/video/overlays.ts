import { createFall, fogAt, RAIN, SNOW } from '../paint/weather';
import { fieldAt } from '../raster/coarse-field';
import { smoothstep } from '../raster/curve';
import { createNoise } from '../raster/noise';
import { hashText } from '../raster/random';
import { type Motion } from './motion';
import { type Plane, type YuvFrame } from './yuv-frame';

/** Draws something over a frame, as it is `seconds` into the video. */
type Overlay = (frame: YuvFrame, seconds: number) => void;

/** The first frame is the unchanged start frame; weather fades in after it. */
const FADE_IN_SECONDS = 0.9;

export function overlaysOf({ snow, rain, fog, luck, seed }: Motion): Overlay[] {
  return [
    ...(fog > 0 ? [driftingFog(seed, fog)] : []),
    ...(rain > 0 ? [falling(createFall(luck('rain'), RAIN, rain), 205)] : []),
    ...(snow > 0 ? [falling(createFall(luck('snow'), SNOW, snow), 238)] : []),
  ];
}

function falling(fall: ReturnType<typeof createFall>, lightness: number): Overlay {
  return ({ y: light, u, v }, seconds) => {
    const presence = smoothstep(0, FADE_IN_SECONDS, seconds);
    fall(light.width, light.height, seconds, (x, y, cover) => {
      blendAt(light, y * light.width + x, lightness, cover * presence);
      if (((x | y) & 1) !== 0) return;
      for (const chroma of [u, v]) blendAt(chroma, (y >> 1) * u.width + (x >> 1), 128, cover * presence);
    });
  };
}

function driftingFog(seed: number, amount: number): Overlay {
  const noise = createNoise(seed ^ hashText('fog'));
  return ({ y: light, u, v }, seconds) => {
    const { width, height } = light;
    const density = smoothstep(0, 2 * FADE_IN_SECONDS, seconds) * Math.min(1, 0.85 * amount);
    const field = fogAt(noise, width, height, 0.66, seconds);
    // Fog is as smooth as chroma is coarse: four luma pixels and one chroma pixel share an amount.
    for (let at = 0; at < u.data.length; at++) {
      const [x, y] = [(at % u.width) * 2, Math.floor(at / u.width) * 2];
      const share = Math.min(0.92, density * fieldAt(field, x + 1, y + 1));
      const first = y * width + x;
      for (const pixel of [first, first + 1, first + width, first + width + 1]) blendAt(light, pixel, 200, share);
      blendAt(u, at, 129, share);
      blendAt(v, at, 127, share);
    }
  };
}

function blendAt({ data }: Plane, at: number, value: number, amount: number): void {
  data[at] = data[at]! + (value - data[at]!) * amount + 0.5;
}
