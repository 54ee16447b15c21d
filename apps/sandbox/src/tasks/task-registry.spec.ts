import { type Draw } from '../drawing/draw-order';
import { CapacityError, REGISTRY_LIMITS, TaskRegistry } from './task-registry';
import { toTaskOrder } from './task-order';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');

function order(prompt: string, images: { data: string }[] = []) {
  const operation = images.length > 0 ? ('image.edit' as const) : ('image.generation' as const);
  return toTaskOrder({
    operation,
    prompt,
    negative_prompt: '',
    width: 64,
    height: 64,
    n: 1,
    seed: 1,
    loras: [],
    images,
  });
}

/** Returns a kilobyte at once. */
const drawAtOnce: Draw = async (_order, _signal, onStart) => {
  onStart(() => 100);
  return new Uint8Array(1024);
};

describe('task registry', () => {
  let now = 0;
  const registryWith = (limits: Partial<typeof REGISTRY_LIMITS>, draw = drawAtOnce): TaskRegistry =>
    new TaskRegistry(draw, { ...REGISTRY_LIMITS, ...limits }, () => now);

  it('forgets a task ten minutes after it ended, and no sooner', () => {
    const registry = registryWith({});
    registry.submit('a', order('x [[fail:error]]'));
    now += 599_999;
    expect(registry.find('a')?.state).toBe('failed');
    now += 1;
    expect(registry.find('a')).toBeUndefined();
  });

  it('never forgets a task that is running', () => {
    const registry = registryWith({});
    registry.submit('a', order('x [[fail:timeout]]'));
    now += 86_400_000;
    expect(registry.find('a')?.state).toBe('running');
  });

  it('keeps no more outputs than its memory limit: the oldest are dropped first', async () => {
    const registry = registryWith({ maxOutputBytes: 2048 });
    for (const id of ['a', 'b', 'c']) {
      registry.submit(id, order('x'));
      await new Promise(setImmediate);
    }
    expect(['a', 'b', 'c'].map((id) => registry.find(id)?.state)).toEqual([undefined, 'succeeded', 'succeeded']);
  });

  it('accepts unfinished tasks up to their limit, regardless of ended ones', () => {
    const registry = registryWith({ maxUnfinished: 2 });
    registry.submit('ended', order('x [[fail:error]]'));
    for (const id of ['a', 'b']) registry.submit(id, order('x [[fail:timeout]]'));
    expect(() => registry.submit('c', order('x'))).toThrow(CapacityError);
    expect(registry.submit('a', order('x')).state).toBe('running');
    registry.cancel('b');
    expect(registry.submit('c', order('x')).id).toBe('c');
    registry.close();
  });

  it('accepts new inputs only within the memory limit, which an ended task frees', () => {
    const registry = registryWith({ maxInputBytes: 12 });
    registry.submit('a', order('x [[delay:60s]]', [{ data: PNG }]));
    expect(() => registry.submit('b', order('x', [{ data: PNG }]))).toThrow(CapacityError);
    registry.cancel('a');
    expect(registry.submit('b', order('x', [{ data: PNG }])).id).toBe('b');
  });

  it('keeps no inputs of a task that hangs, and frees their memory once only', () => {
    const registry = registryWith({ maxInputBytes: 12 });
    registry.submit('a', order('x [[fail:timeout]]', [{ data: PNG }]));
    registry.submit('b', order('x [[delay:60s]]', [{ data: PNG }]));
    registry.cancel('a');
    expect(() => registry.submit('c', order('x', [{ data: PNG }]))).toThrow(CapacityError);
    registry.close();
  });

  it('frees the outputs of a task that is deleted, and keeps its state', async () => {
    const registry = registryWith({});
    registry.submit('a', order('x'));
    await new Promise(setImmediate);
    expect(registry.output('a', 0)?.bytes).toHaveLength(1024);
    expect(registry.cancel('a')).toEqual({ state: 'succeeded', stopped: false });
    expect(registry.output('a', 0)).toBeUndefined();
    expect(registry.find('a')?.state).toBe('succeeded');
  });

  it('stops a drawing that is canceled, and ignores its late result', async () => {
    let finish: (bytes: Uint8Array) => void = () => undefined;
    let stopped = false;
    const registry = registryWith({}, (_order, signal, onStart) => {
      onStart(() => 40);
      signal.addEventListener('abort', () => (stopped = true));
      return new Promise((resolve) => (finish = resolve));
    });
    registry.submit('a', order('x'));
    expect(registry.cancel('a')).toEqual({ state: 'canceled', stopped: true });
    finish(new Uint8Array(1));
    await new Promise(setImmediate);
    expect(stopped).toBe(true);
    expect(registry.find('a')).toMatchObject({ state: 'canceled', outputs: [] });
  });

  it('reports the drawn part of all its drawings, and 1 only after the success', async () => {
    const percents = [0, 0];
    const finish: ((bytes: Uint8Array) => void)[] = [];
    const registry = registryWith({}, (_order, _signal, onStart) => {
      const place = finish.length;
      onStart(() => percents[place] ?? 0);
      return new Promise((resolve) => finish.push(resolve));
    });
    const progress = (): number | undefined => registry.find('a')?.progress;
    const two = order('x');
    registry.submit('a', { ...two, drawings: [...two.drawings, ...two.drawings] });
    expect(progress()).toBe(0);
    percents[0] = 100;
    expect(progress()).toBe(0.5);
    percents[1] = 99;
    expect(progress()).toBe(0.99);
    for (const each of finish) each(new Uint8Array(1));
    await new Promise(setImmediate);
    expect(progress()).toBe(1);
  });
});
