import { fromHex } from '../raster/colour';
import { type Scene } from './scene';
import { sceneFromPrompt } from './scene-from-prompt';

function sceneOf(prompt: string, negativePrompt = '', seed = 1): Scene {
  return sceneFromPrompt({ prompt, negativePrompt, seed });
}

describe('scene from prompt', () => {
  it('is the same for the same words and seed, and another one for another seed', () => {
    expect(sceneOf('a mountain lake at dawn')).toEqual(sceneOf('A Mountain Lake at dawn!'));
    expect(sceneOf('a mountain lake at dawn').seed).not.toBe(sceneOf('a mountain lake at dawn', '', 2).seed);
  });

  it.each([
    ['snow-capped mountains', 'mountains'],
    ['a lake in the mountains', 'lake'],
    ['the open ocean', 'sea'],
    ['Tropical beach', 'coast'],
    ['misty pine forest', 'forest'],
    ['dunes of the Sahara', 'desert'],
    ['skyline of Tokyo', 'city'],
    ['a ringed planet in outer space', 'space'],
    ['rolling hills', 'meadow'],
    ['still life with two apples', 'room'],
    ['a cosy living room with a view of the sea', 'room'],
    ['abstract swirls', 'flow'],
    ['Bauhaus poster', 'geometric'],
  ])('%s is set in: %s', (prompt, setting) => {
    expect(sceneOf(prompt).setting).toBe(setting);
  });

  it.each([
    ['at sunrise', 'dawn'],
    ['at noon', 'day'],
    ['in the golden hour', 'golden'],
    ['at sunset', 'sunset'],
    ['in the blue hour', 'dusk'],
    ['under a starry sky', 'night'],
  ])('%s is the time: %s', (words, time) => {
    expect(sceneOf(`mountains ${words}`).time).toBe(time);
  });

  it('takes weather and season from the words', () => {
    expect(sceneOf('a stormy sea').weather).toMatchObject({ wind: 1, rain: 0.5 });
    expect(sceneOf('hills in the fog').weather.fog).toBeGreaterThan(0);
    expect(sceneOf('northern lights over a lake').weather.aurora).toBe(1);
    expect(sceneOf('northern lights over a lake').time).toBe('night');
    expect(sceneOf('a snowy forest').season).toBe('winter');
    expect(sceneOf('forest in autumn').season).toBe('autumn');
  });

  it('applies a colour to the whole image, unless it is that of a thing', () => {
    expect(sceneOf('a red sailing boat on a lake')).toMatchObject({ landmark: 'boat', colours: [] });
    expect(sceneOf('mountains in teal and orange').colours).toEqual([fromHex('#008080'), fromHex('#ffa500')]);
    expect(sceneOf('a green forest').colours).toEqual([]);
    expect(sceneOf('a red fox in a forest').colours).toEqual([]);
    expect(sceneOf('a red fox').colours).toEqual([fromHex('#ff0000')]);
    expect(sceneOf('a forest in red light').colours).toEqual([fromHex('#ff0000')]);
  });

  it('sets a landmark without a place in its usual setting', () => {
    expect(sceneOf('a lighthouse').setting).toBe('coast');
    expect(sceneOf('a lighthouse by the sea').setting).toBe('coast');
    expect(sceneOf('a sailing boat').setting).toBe('sea');
  });

  it('leaves out what the prompt or the negative prompt does not want', () => {
    expect(sceneOf('no sun, no clouds, sea at noon')).toMatchObject({
      setting: 'sea',
      shows: { sun: false },
      weather: { clouds: 0 },
    });
    expect(sceneOf('a lake with no red boat or moon')).toMatchObject({ landmark: undefined, shows: { moon: false } });
    expect(sceneOf('no clouds and a red boat').landmark).toBe('boat');
    expect(sceneOf('a lake at noon', 'sun, clouds')).toMatchObject({ shows: { sun: false }, weather: { clouds: 0 } });
    expect(sceneOf('mountains without any trees').shows.trees).toBe(false);
    expect(sceneOf('a house with a boat', 'boats').landmark).toBe('house');
    expect(sceneOf('a meadow in the fog, no rain', 'fog').weather).toMatchObject({ fog: 0, rain: 0 });
  });

  it('ignores what it cannot draw', () => {
    expect(['flow', 'geometric']).toContain(sceneOf('portrait of a fox in a suit').setting);
  });

  it('maps steps to detail and guidance to the strength of colours', () => {
    const draw = (steps: number, guidance: number): Scene =>
      sceneFromPrompt({ prompt: 'x', negativePrompt: '', seed: 1, steps, guidance });
    expect([2, 8, 25, 50].map((steps) => draw(steps, 5).detail)).toEqual([-2, -1, 0, 1]);
    expect(draw(25, 12).gradeStrength).toBeGreaterThan(draw(25, 2).gradeStrength);
  });
});
