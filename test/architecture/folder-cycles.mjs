/** Specs and fixtures import what they need of anywhere: they are read after the code, never by it. */
const FOR_TESTS = /\.(e2e-)?spec\.ts$|\.fixtures?\.ts$|^libs\/testing\/|^test\//;

/**
 * The rule that dependency-cruiser does not have: its own one for folders (`scope: 'folder'`) cannot leave out specs, and takes
 * an import of `job/row/status.ts` for one of `job/row` alone, so that a circle through a folder in a folder passes.
 */
export const FOLDER_RULE = {
  name: 'no-folder-cycle',
  comment:
    'Two folders that need each other cannot be read one after the other. Move what both need to the one below, or to a folder of its own.',
};

/**
 * An import leads from one entry of a folder to another, in the deepest folder that holds both files; an entry is a folder or a
 * file. Entries that import one another in a circle are a violation, at every depth, unless all of them are files.
 * @param modules of dependency-cruiser's result
 * @returns {{ rule: string, from: string, to: string, example: string, comment: string }[]} one for each circle
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

/** Which entries each entry imports, with an import for each. */
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

/** The entries, in the deepest folder that holds both files, that the files are or lie in. */
function entriesOf(file, imported) {
  const [one, other] = [file.split('/'), imported.split('/')];
  const depth = one.findIndex((name, index) => name !== other[index]) + 1;
  return [one, other].map((names) => names.slice(0, depth).join('/'));
}

/** From one entry to another, both included; null where there is none. */
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
