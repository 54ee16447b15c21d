import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';

const PATCHES = 'test/mutations/patches';
const PATCHES_OF_NEMESIS = 'test/nemesis/patches';
/** Each one has to be adapted when its lines change, so only bugs that no tool makes are planted. */
const BUGS_MAX = 60;
/** Line numbers and most of the context may have changed; one line of context on each side must still match. */
const TOLERANT = ['--recount', '-C1'];

/** A small, realistic bug as a unified diff, with the specs that must fail while it is applied. */
export interface PlantedBug {
  /** Its path below the folder of patches, without the extension. */
  name: string;
  title: string;
  patch: string;
  /** The source files that it changes, from the root. */
  files: string[];
  specs: string[];
}

export function plantedBugs(folder = PATCHES): PlantedBug[] {
  return sourceFiles(folder, /\.patch$/).map(readPatch);
}

/** What is wrong with the patches, one sentence each. Those of the nemesis name no specs. */
export async function plantedProblems(): Promise<string[]> {
  const bugs = plantedBugs();
  const unplanted = await Promise.all([...bugs, ...plantedBugs(PATCHES_OF_NEMESIS)].map(whyNotPlanted));
  return [
    ...(bugs.length === 0 ? [`${PATCHES} has no patch.`] : []),
    ...(bugs.length > BUGS_MAX ? [`${PATCHES} has ${bugs.length} patches: keep ${BUGS_MAX} at most.`] : []),
    ...bugs.flatMap(incompleteParts),
    ...unplanted.filter((problem) => problem !== null),
  ];
}

function incompleteParts({ title, files, specs, patch }: PlantedBug): string[] {
  const missing = specs.filter((spec) => !existsSync(path.join(ROOT, spec)));
  return [
    ...(title === '' ? [`${patch} has no title.`] : []),
    ...(files.length === 0 ? [`${patch} changes no file.`] : []),
    ...(specs.length === 0 ? [`${patch} names no spec.`] : []),
    ...missing.map((spec) => `${patch} names ${spec}, which does not exist.`),
  ];
}

/** The reason why the bug does not apply to the working tree, which stays unchanged; null where it applies. */
export async function whyNotPlanted(bug: PlantedBug): Promise<string | null> {
  return await applyPatch(bug, ROOT, '--check').then(
    () => null,
    (error: { stderr: string }) => `${bug.patch} does not apply:\n${error.stderr.trimEnd()}`,
  );
}

/** Changes the files of a copy of the tree. */
export async function applyPatch({ patch }: PlantedBug, folder: string, ...options: string[]): Promise<void> {
  await promisify(execFile)('git', ['apply', ...TOLERANT, ...options, path.join(ROOT, patch)], { cwd: folder });
}

/** The header of a patch is its title, an empty line, and a line for each spec. */
function readPatch(patch: string): PlantedBug {
  const text = readFileSync(path.join(ROOT, patch), 'utf8');
  const named = (line: RegExp): string[] => [...text.matchAll(line)].map(([, name = '']) => name);
  return {
    name: patch.slice(patch.indexOf('/patches/') + '/patches/'.length).replace(/\.patch$/, ''),
    title: text.slice(0, text.indexOf('\n')),
    patch,
    files: named(/^\+\+\+ b\/(.+)$/gm),
    specs: named(/^Spec: (.+)$/gm),
  };
}
