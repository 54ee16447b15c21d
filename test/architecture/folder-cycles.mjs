/** Specs and fixtures may import from any folder: production code never imports them. */
const FOR_TESTS = /\.(e2e-)?spec\.ts$|\.fixtures?\.ts$|^libs\/testing\/|^test\//;

/**
 * Finds cycles between folders. dependency-cruiser's own rule (`scope: 'folder'`) cannot leave out specs. It also counts an
 * import of `job/row/status.ts` as one of `job/row` only, so it misses a cycle through a nested folder.
 */
export const FOLDER_RULE = {
  name: 'no-folder-cycle',
  comment:
    'Two folders that import each other cannot be read one after the other. Move the code that both import to the lower folder, or to a folder of its own.',
};

/**
 * An import connects two entries of the deepest folder that holds both files; an entry is a folder or a file. A cycle of
 * entries is a violation at every depth, unless all of them are files.
 *  @param modules of dependency-cruiser's result
 *  @returns {{ rule: string, from: string, to: string, example: string, comment: string }[]} one for each cycle
 */
export function folderCycles(modules) {
  const steps = stepsOf(modules);
  const circles = new Map();
  for (const [from, targets] of steps) {
    for (const to of targets.keys()) {
      const circle = shortestPath(steps, to, from);
      if (!circle || circle.every(isFile)) continue;
      const key = circle.toSorted().join(' ');
      if (!circles.has(key)) circles.set(key, { from, to, circle });
    }
  }
  return [...circles.values()].map(({ from, to, circle }) => {
    const example = circle.map((entry, index) => steps.get(circle.at(index - 1)).get(entry)).join(', ');
    return { rule: FOLDER_RULE.name, from, to, example, comment: FOLDER_RULE.comment };
  });
}

/** The entries that each entry imports, with one example import for each. */
function stepsOf(modules) {
  const steps = new Map();
  const imports = modules
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
    .filter((files) => files.every((file) => /^(apps|libs|deploy)\//.test(file) && !FOR_TESTS.test(file)));
  for (const [file, imported] of imports) {
    if (file === imported) continue;
    const [from, to] = entriesOf(file, imported);
    if (!steps.has(from)) steps.set(from, new Map());
    if (!steps.get(from).has(to)) steps.get(from).set(to, `${file} imports ${imported}`);
  }
  return steps;
}

/** The entries of the deepest common folder: each is one of the two files, or holds it. */
function entriesOf(file, imported) {
  const [one, other] = [file.split('/'), imported.split('/')];
  const depth = one.findIndex((name, index) => name !== other[index]) + 1;
  return [one, other].map((names) => names.slice(0, depth).join('/'));
}

/** The path from one entry to another, both included; null where there is none. */
function shortestPath(steps, start, goal) {
  const paths = [[start]];
  const seen = new Set([start]);
  for (const path of paths) {
    if (path.at(-1) === goal) return path;
    for (const next of steps.get(path.at(-1))?.keys() ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return null;
}

function isFile(entry) {
  return entry.endsWith('.ts');
}
