import { type Colour, fromHex } from '../../raster/colour';
import { between, pick, type Random } from '../../raster/random';
import { type StillObject } from '../../scene/scene';
import { noiseFor, randomFor, type Stage } from '../stage';
import { paintBouquet } from './bouquet';
import { type FruitKind, paintFruit } from './fruit';
import { castShadow, studioLightOf } from './studio-light';
import { paintTable, paintWall } from './table-and-wall';
import { paintTurned } from './turned';
import { castWareShadow, createWare, isWare, type WareKind } from './ware';

const WALLS = ['#8f9486', '#7d8a99', '#a58f7c', '#6d7568', '#9a8794', '#5f6872'] as const;
const TABLES = ['#8a5f3c', '#6e4a33', '#b8a58a', '#93724e'] as const;
const FRUITS: readonly [FruitKind, ...FruitKind[]] = ['apple', 'pear', 'lemon', 'orange', 'plum'];

/** From the middle of the image towards the shaded side, and down from the table's far edge; back to front. */
const FRUIT_PLACES: readonly (readonly [aside: number, down: number])[] = [
  [0.24, 0.135],
  [-0.2, 0.165],
  [0.13, 0.18],
  [0.29, 0.2],
  [-0.04, 0.215],
  [0.19, 0.235],
];

/** Objects on a table in front of a wall, in the light of a window. */
export function paintStillLife(stage: Stage): void {
  const { raster, scene, unit } = stage;
  const random = randomFor(stage, 'still-life');
  const light = studioLightOf(stage);
  const tableY = raster.height * 0.66;
  paintWall(stage, light, fromHex(pick(random, WALLS)), tableY);
  paintTable(stage, light, fromHex(pick(random, TABLES)), tableY);
  const middle = raster.width * (0.5 - light.side * 0.06);
  const { wares, fruits } = arrange(scene.objects, scene.flowers, random);
  const spread = Math.min(raster.width * 0.53, unit * 0.68);
  wares.forEach(({ kind, colour }, i) => {
    const aside = wares.length === 1 ? -light.side * unit * 0.05 : (i / (wares.length - 1) - 0.5) * spread;
    const y = tableY + unit * between(random, 0.075, 0.115);
    const ware = createWare(kind, { x: middle + aside, y, unit }, colour, random);
    castWareShadow(raster, light, ware);
    const holdsFlowers = scene.flowers && i === 0;
    if (holdsFlowers) paintBouquet({ raster, light, random }, ware.x, y - ware.height, unit * 0.36, scene.flowerColour);
    paintTurned(raster, light, ware);
  });
  const skin = noiseFor(stage, 'skin');
  fruits.forEach((kind, i) => {
    const [aside, down] = FRUIT_PLACES[i % FRUIT_PLACES.length]!;
    const x = middle + unit * (-light.side * aside + between(random, -0.012, 0.012));
    const y = tableY + unit * (down + between(random, -0.008, 0.008));
    const radius = unit * between(random, 0.052, 0.064) * (kind === 'plum' ? 0.75 : 1);
    castShadow(raster, light, x, y, radius);
    paintFruit(raster, light, skin, kind, x, y, radius);
  });
}

interface Arrangement {
  readonly wares: readonly { readonly kind: WareKind; readonly colour?: Colour }[];
  readonly fruits: readonly FruitKind[];
}

/** The objects that the prompt names, with a few others if it names few. */
function arrange(named: readonly StillObject[], flowers: boolean, random: Random): Arrangement {
  const wares = named.flatMap(({ kind, ...rest }) => (isWare(kind) ? [{ kind, ...rest }] : []));
  const kinds = named.flatMap(({ kind }) => (isWare(kind) ? [] : [kind]));
  const usual = flowers ? 'vase' : pick<WareKind>(random, ['vase', 'jug', 'bottle']);
  if (wares.length === 0) wares.push({ kind: usual });
  else if (flowers && !wares.some(({ kind }) => kind === 'vase' || kind === 'jug')) wares.unshift({ kind: 'vase' });
  if (named.length === 0 && random() < 0.5) wares.push({ kind: pick<WareKind>(random, ['cup', 'bottle', 'bowl']) });
  const onlyWares = named.length > 0 && kinds.length === 0;
  const count = onlyWares ? 1 + Math.floor(random() * 2) : 4 + Math.floor(random() * 3);
  const [first, ...others] = kinds;
  const basket: readonly [FruitKind, ...FruitKind[]] = first ? [first, ...others] : FRUITS;
  return {
    wares: wares.slice(0, 3),
    fruits: Array.from({ length: count }, (_, i) => kinds[i] ?? pick(random, basket)),
  };
}
