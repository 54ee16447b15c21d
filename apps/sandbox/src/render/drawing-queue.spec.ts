import { DrawingQueue } from './drawing-queue';

describe('drawing queue', () => {
  const taskOf = (name: string, images: number): { name: string; signal: AbortSignal }[] => {
    const { signal } = new AbortController();
    return Array.from({ length: images }, (_, index) => ({ name: `${name}${index + 1}`, signal }));
  };
  /** What one thread draws, and what arrives meanwhile. */
  function drawn(queue: DrawingQueue<{ name: string; signal: AbortSignal }>, arrivals: Record<string, () => void>) {
    const names: string[] = [];
    for (let drawing = queue.next(); drawing; drawing = queue.next()) {
      names.push(drawing.name);
      arrivals[drawing.name]?.();
      queue.finish(drawing);
    }
    return names.join(' ');
  }

  it('draws a task in its own order while it is alone', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    taskOf('a', 4).forEach((one) => queue.add(one));
    expect(drawn(queue, {})).toBe('a1 a2 a3 a4');
  });

  it('delays a single image by the one that is being drawn and one more, when two long tasks have just come', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    taskOf('a', 4).forEach((one) => queue.add(one));
    const rest = [...taskOf('b', 4), ...taskOf('c', 1)];
    expect(drawn(queue, { a1: () => rest.forEach((one) => queue.add(one)) })).toMatch(/^a1 b1 c1 /);
  });

  it('delays a single image by the one that is being drawn and, at most, by one more', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    taskOf('a', 4).forEach((one) => queue.add(one));
    const b = taskOf('b', 4);
    const [c] = taskOf('c', 1);
    const [d] = taskOf('d', 1);
    const arrivals = {
      a1: () => b.forEach((one) => queue.add(one)),
      b1: () => c && queue.add(c),
      a3: () => d && queue.add(d),
    };
    expect(drawn(queue, arrivals)).toBe('a1 b1 c1 a2 b2 a3 d1 b3 a4 b4');
  });

  it('does not let a stream of new tasks starve those that have begun', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    taskOf('a', 3).forEach((one) => queue.add(one));
    const news = ['n', 'o', 'p', 'q', 'r', 's'].flatMap((name) => taskOf(name, 1));
    expect(drawn(queue, { a1: () => news.forEach((one) => queue.add(one)) })).toBe('a1 n1 o1 a2 p1 q1 r1 a3 s1');
  });

  it('schedules a task whose drawing is done after one that another thread has begun meanwhile', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    [...taskOf('a', 2), ...taskOf('b', 2)].forEach((one) => queue.add(one));
    const a1 = queue.next();
    queue.next();
    if (a1) queue.finish(a1);
    expect(queue.next()?.name).toBe('b2');
  });

  it('treats later drawings of a task that has begun as part of it', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    const [a1, ...rest] = taskOf('a', 3);
    const b = taskOf('b', 1);
    if (a1) queue.add(a1);
    expect(drawn(queue, { a1: () => [...rest, ...b].forEach((one) => queue.add(one)) })).toBe('a1 b1 a2 a3');
  });

  it('drops what is deleted, and a task with its last drawing', () => {
    const queue = new DrawingQueue<{ name: string; signal: AbortSignal }>();
    const a = taskOf('a', 2);
    a.forEach((one) => queue.add(one));
    queue.next();
    a.forEach((one) => queue.delete(one));
    expect(queue.next()).toBeUndefined();
  });
});
