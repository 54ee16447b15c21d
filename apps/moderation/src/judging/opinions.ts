import type { Opinion, Scores } from './engine';

/** One engine's opinion of one piece of content. */
export interface Finding {
  content: 'text' | 'image' | 'video';
  /** The request's field, where the content came from one. */
  param: string | null;
  /** SHA-256 of the text, or of the file of the image or video, in hexadecimal. */
  contentSha256: string;
  engine: string;
  opinion: Opinion;
}

export interface Objection {
  content: Finding['content'];
  param: string | null;
  engine: string;
  reason: string;
}

/** The first objection, in the order of the content. */
export function findObjection(findings: readonly Finding[]): Objection | null {
  for (const { content, param, engine, opinion } of findings) {
    if (opinion.objection !== null) return { content, param, engine, reason: opinion.objection };
  }
  return null;
}

/** One finding for each engine: the worst frame decides for a video. */
export function worstOfEach(findings: readonly Finding[]): Finding[] {
  const byEngine = new Map<string, Finding>();
  for (const finding of findings) {
    const known = byEngine.get(finding.engine);
    byEngine.set(finding.engine, known ? { ...known, opinion: worseOpinion(known.opinion, finding.opinion) } : finding);
  }
  return [...byEngine.values()];
}

export function worseOpinion(one: Opinion, other: Opinion): Opinion {
  const objecting = [one, other].filter(({ objection }) => objection !== null);
  return {
    objection: objecting[0]?.objection ?? null,
    // Only an objection by threshold alone would disappear under another threshold.
    isByThreshold: objecting.length > 0 && objecting.every(({ isByThreshold }) => isByThreshold === true),
    scores: highest(one.scores, other.scores),
  };
}

function highest(one: Scores, other: Scores): Scores {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]));
}
