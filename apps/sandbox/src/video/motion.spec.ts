import { cameraAt, momentOf, motionOf } from './motion';

const FRAMES = 97;

function motion(prompt: string, negativePrompt = '', seed = 1) {
  return motionOf({ prompt, negativePrompt, seed });
}

function namesIn(prompt: string, negativePrompt = ''): string[] {
  return motion(prompt, negativePrompt).moves.map(({ move }) => move.name);
}

function cameraOf(prompt: string, frame: number) {
  return cameraAt(motion(prompt), momentOf(frame, FRAMES, 24));
}

describe('motion of a prompt', () => {
  it.each([
    ['Pan left.', ['pan left']],
    ['the camera moves slowly to the right', ['pan right']],
    ['panning from left to right', ['pan right']],
    ['tilt up to the sky', ['pan up']],
    ['camera descends', ['pan down']],
    ['slow push in on her face', ['zoom in']],
    ['zooms out to reveal the valley', ['zoom out']],
    ['pan left and zoom in', ['pan left', 'zoom in']],
    ['the camera orbits the statue', ['orbit']],
    ['shaky handheld footage', ['shake']],
    ['pan left, no zoom', ['pan left']],
    ['static shot', []],
    ['no camera movement', []],
    ['a still life with pears', ['gentle push-in']],
    ['move the camera to the left', ['pan left']],
    ['the camera spins slowly', ['roll']],
    ['the camera rises, circling the tower', ['pan up', 'orbit']],
    ['an old man on the right', ['gentle push-in']],
    ['the sun rises over rolling hills, a panda walks left', ['gentle push-in']],
    ['', ['gentle push-in']],
  ])('%j', (prompt, names) => {
    expect(namesIn(prompt)).toEqual(names);
  });

  it('leaves out what the negative prompt names', () => {
    expect(namesIn('handheld, pan left', 'shaky camera, static')).toEqual(['pan left']);
  });

  it.each([
    ['snowing', { snow: 1, rain: 0, fog: 0 }],
    ['heavy rain and light mist', { snow: 0, rain: 1.7, fog: 0.5 }],
    ['no snow', { snow: 0, rain: 0, fog: 0 }],
  ])('adds the rain, snow and fog that the words name: %s', (prompt, weather) => {
    expect(motion(prompt)).toMatchObject(weather);
  });

  it('moves farther for words of speed', () => {
    const [slow, plain, fast] = ['slow', '', 'fast'].map((pace) => cameraOf(`${pace} pan right`, FRAMES - 1).shiftX);
    expect(slow).toBeLessThan(plain ?? 0);
    expect(plain).toBeLessThan(fast ?? 0);
  });

  it('begins at rest in the start frame, accelerates and slows down softly', () => {
    for (const prompt of ['pan right', 'zoom in', 'orbit', 'handheld', '']) {
      const places = Array.from({ length: FRAMES }, (_, frame) => cameraOf(prompt, frame));
      expect(places[0]).toMatchObject({ zoom: 1, roll: 0 });
      const way = places.map(({ shiftX, orbitX, zoom }) => shiftX + orbitX + zoom);
      const steps = way.slice(1).map((place, i) => Math.abs(place - (way[i] ?? 0)));
      const fastest = Math.max(...steps);
      expect(steps[0]).toBeLessThan(fastest / 5);
      expect(steps.at(-1)).toBeLessThan(fastest / 5);
    }
  });

  it('lets the seed choose the direction of the default move', () => {
    const end = (seed: number) => cameraAt(motion('', '', seed), momentOf(FRAMES - 1, FRAMES, 24)).orbitX;
    expect(new Set([1, 2, 3, 4].map(end)).size).toBe(4);
  });
});
