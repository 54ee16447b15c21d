import { pick } from '../raster/random';
import { type Luck } from './luck';
import { hasElement, ofKind, type PromptReading } from './prompt-reading';
import { type Setting, type Subject, type SubjectKind } from './scene';

/**
 * The more specific of several settings takes precedence: a lake in the mountains is a lake. Of equal ones, the first.
 */
const PRECEDENCE: Readonly<Record<Setting, number>> = {
  flow: 5,
  city: 4,
  space: 4,
  'still-life': 4,
  interior: 4,
  canyon: 4,
  desert: 4,
  island: 4,
  beach: 4,
  coast: 4,
  lake: 4,
  river: 3,
  forest: 3,
  meadow: 2,
  mountains: 2,
  sea: 2,
  sky: 1,
  geometric: 0,
};

type Settings = readonly [Setting, ...Setting[]];

/** The usual settings of a subject, for prompts that name none. */
const HOMES: Readonly<Record<SubjectKind, Settings>> = {
  lighthouse: ['coast'],
  sailboat: ['sea', 'lake', 'coast'],
  ship: ['sea'],
  cabin: ['lake', 'mountains', 'meadow'],
  castle: ['mountains', 'lake', 'river'],
  tower: ['meadow', 'coast'],
  windmill: ['meadow'],
  bridge: ['river'],
  tree: ['meadow'],
  palm: ['beach', 'island'],
  balloon: ['meadow', 'mountains', 'sky'],
  birds: ['sea', 'sky', 'lake'],
};
const BUILDINGS: ReadonlySet<SubjectKind> = new Set(['lighthouse', 'cabin', 'castle', 'tower', 'windmill']);
const WITHOUT_CROSSING: ReadonlySet<Setting> = new Set(['lake', 'mountains', 'meadow', 'forest']);
const INDOORS: ReadonlySet<Setting> = new Set(['interior', 'still-life', 'flow', 'geometric', 'space']);

export function settingOf(reading: PromptReading, subjects: readonly Subject[], luck: Luck): Setting {
  const random = luck('setting');
  const named = namedSetting(reading);
  const home = subjects[0] && pick(random, HOMES[subjects[0].kind]);
  // A building needs land to stand on, and a bridge water to cross.
  if (named === 'sea' && subjects.some(({ kind }) => BUILDINGS.has(kind))) return 'coast';
  if (named && WITHOUT_CROSSING.has(named) && subjects.some(({ kind }) => kind === 'bridge')) return 'river';
  // "A poster of a lighthouse" shows the lighthouse.
  if (named && !(named === 'geometric' && home)) return named;
  return home ?? pick(random, settingsFor(reading));
}

/** The view of a window: the outdoor setting that the prompt also names, or one that suits any room. */
export function viewOf({ meanings }: PromptReading, luck: Luck): Setting {
  const named = ofKind(meanings, 'setting').find(({ setting }) => !INDOORS.has(setting));
  return named?.setting ?? pick<Setting>(luck('view'), ['lake', 'sea', 'meadow', 'mountains', 'city']);
}

function namedSetting({ meanings }: PromptReading): Setting | undefined {
  const named = ofKind(meanings, 'setting').map(({ setting }) => setting);
  return named.sort((a, b) => PRECEDENCE[b] - PRECEDENCE[a])[0];
}

/**
 * Settings for prompts that name neither a place nor a subject: those of the hour or the weather; for unknown words the
 * abstract ones.
 */
function settingsFor({ meanings }: PromptReading): Settings {
  if (hasElement(meanings, 'flowers')) return ['meadow', 'still-life'];
  const isOutdoors = meanings.some(({ kind }) => kind !== 'colour' && kind !== 'mood' && kind !== 'object');
  return isOutdoors ? ['lake', 'meadow', 'sea', 'mountains'] : ['flow', 'geometric'];
}
