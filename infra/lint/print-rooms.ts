import { shapeOf } from './imports.ts';

const LAYERS = ['domain', 'contract', 'ports', 'use-cases', 'adapters/dynamodb'];

for (const layer of LAYERS) {
  const { folders, levels, arrows } = shapeOf(`shared/${layer}`);
  console.log(`shared/${layer}: ${folders} rooms, ${levels} levels, ${arrows.length} arrows`);
  for (const arrow of arrows) console.log(`  ${arrow}`);
}
