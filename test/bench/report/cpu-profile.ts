/** A profile of V8: a tree of calls, and the running call of each sample (Chrome DevTools Protocol, Profiler). */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

/** A call and its callees, with their total time. */
export interface Frame {
  name: string;
  ms: number;
  children: Frame[];
}

/** Idle time of the process. */
const IDLE = '(idle)';
/** Frames that are not the service's own work. */
const PROFILER = /profile-on-signal/;

/** The work of a process while it was profiled; calls of the same name under one caller are merged. */
export function framesOf(profile: CpuProfile): Frame[] {
  const ownMs = new Map<number, number>();
  profile.samples.forEach((id, index) => {
    ownMs.set(id, (ownMs.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1_000);
  });
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const frameOf = (id: number): Frame | null => {
    const node = nodes.get(id);
    if (!node || node.callFrame.functionName === IDLE || PROFILER.test(node.callFrame.url)) return null;
    const children = merged((node.children ?? []).map(frameOf));
    const ms = children.reduce((sum, child) => sum + child.ms, ownMs.get(id) ?? 0);
    return ms > 0 ? { name: nameOf(node.callFrame), ms, children } : null;
  };
  const [root] = profile.nodes;
  return (root && frameOf(root.id))?.children ?? [];
}

function merged(frames: (Frame | null)[]): Frame[] {
  const byName = new Map<string, Frame>();
  for (const frame of frames) {
    if (!frame) continue;
    const same = byName.get(frame.name);
    byName.set(
      frame.name,
      same
        ? { name: same.name, ms: same.ms + frame.ms, children: merged([...same.children, ...frame.children]) }
        : frame,
    );
  }
  return [...byName.values()].sort((one, other) => other.ms - one.ms);
}

/** `accept libs/bus/src/batch-sender` or `parse pg-protocol`: a name without paths of one machine. */
function nameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const place = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? /dist\/(.+?)(?:\.js)?$/.exec(url)?.[1] ?? url;
  return place === '' ? name : `${name} ${place}`;
}
