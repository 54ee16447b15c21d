import { between, pick } from '../raster/random';
import { type Luck } from './luck';
import { hasElement, ofKind, type PromptReading } from './prompt-reading';
import { type Season, type TimeOfDay, type Weather } from './scene';

/** The hour if none is named; the more attractive ones more often. */
const USUAL_HOURS: readonly TimeOfDay[] = ['day', 'golden', 'day', 'sunset', 'golden', 'dawn'];

export function timeOf({ meanings, unwanted }: PromptReading, luck: Luck): TimeOfDay {
  const named = ofKind(meanings, 'time')[0];
  if (named) return named.time;
  const aurora = ofKind(meanings, 'weather').some(({ weather }) => weather.aurora);
  if (aurora || hasElement(meanings, 'moon') || hasElement(meanings, 'stars')) return 'night';
  const banned = new Set(ofKind(unwanted, 'time').map(({ time }) => time));
  const [first = 'day', ...others] = USUAL_HOURS.filter((time) => !banned.has(time));
  return pick(luck('time'), [first, ...others]);
}

/** The named weather added to that of a usual day, without what is not wanted. */
export function weatherOf({ meanings, unwanted }: PromptReading, time: TimeOfDay, luck: Luck): Weather {
  const random = luck('weather');
  const usual: Weather = {
    clouds: time === 'night' ? between(random, 0.1, 0.3) : between(random, 0.3, 0.58),
    fog: 0,
    rain: 0,
    snow: 0,
    lightning: 0,
    aurora: 0,
    wind: between(random, 0.25, 0.5),
  };
  const named = ofKind(meanings, 'weather').reduce((weather, { weather: more }) => ({ ...weather, ...more }), usual);
  return ofKind(unwanted, 'weather').reduce((weather, { weather: less }) => without(weather, less), named);
}

/** Rain comes with clouds; still "no rain" only removes the rain, and "no clouds" clears the sky. */
function without(weather: Weather, { clouds, fog, rain, snow, lightning, aurora }: Partial<Weather>): Weather {
  const falls = fog || rain || snow || lightning || aurora;
  return {
    clouds: clouds && !falls ? 0 : weather.clouds,
    fog: fog ? 0 : weather.fog,
    rain: rain ? 0 : weather.rain,
    snow: snow ? 0 : weather.snow,
    lightning: lightning ? 0 : weather.lightning,
    aurora: aurora ? 0 : weather.aurora,
    wind: weather.wind,
  };
}

export function seasonOf({ meanings }: PromptReading, weather: Weather): Season {
  return ofKind(meanings, 'season')[0]?.season ?? (weather.snow > 0 ? 'winter' : 'summer');
}
