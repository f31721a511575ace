import { LAYERS, shapeOf } from './imports.ts';

/* `npm run rooms`: the rooms of each layer, how deep their imports go, and which imports which. */

for (const layer of LAYERS) {
  const { folders, levels, arrows } = shapeOf(layer);
  console.log(`${layer}: ${folders} rooms, ${levels} levels, ${arrows.length} arrows`);
  for (const arrow of arrows) console.log(`  ${arrow}`);
}
