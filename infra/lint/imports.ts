import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a file imports, as paths from the root of the repository. Packages are left out. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** The layers of shared/ that are parted into rooms. No room of a layer may import itself through others. */
export const LAYERS = ['domain', 'contract', 'ports', 'use-cases', 'adapters', 'http'].map(
  (layer) => `shared/${layer}`,
);

const SPECIFIER = /(?:from|import)\s*\(?\s*'([#.][^']+)'/g;

const target = (file: string, specifier: string): string =>
  specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier);

/** The imports of every TypeScript file below these folders. */
export const importsBelow = (...folders: readonly string[]): Imports =>
  new Map(
    folders
      .flatMap((folder) => globSync(`${folder}/**/*.ts`))
      .sort()
      .map((file) => {
        const specifiers = readFileSync(file, 'utf8').matchAll(SPECIFIER);
        return [file, [...specifiers].map(([, specifier = '']) => target(file, specifier))];
      }),
  );

/** The same between folders: a folder imports another when one of its files does. */
export const betweenFolders = (imports: Imports): Imports => {
  const found = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const folder = dirname(file);
    const others = found.get(folder) ?? new Set();
    for (const other of targets.map((one) => dirname(one))) if (other !== folder) others.add(other);
    found.set(folder, others);
  }
  return new Map([...found].map(([folder, others]) => [folder, [...others].sort()]));
};

/** A circle of imports, its first member repeated at the end; undefined when there is none. */
export const findCircle = (imports: Imports): readonly string[] | undefined => {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of imports.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of imports.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
};

/** How many folders a layer has, how deep their imports go, and how many of them import which other. */
export const shapeOf = (
  layer: string,
): { readonly folders: number; readonly levels: number; readonly arrows: readonly string[] } => {
  const folders = betweenFolders(importsBelow(layer));
  const inside = (targets: readonly string[] = []) => targets.filter((other) => folders.has(other));
  // The layer's own files are a room too.
  const nameOf = (folder: string): string => folder.slice(layer.length + 1) || '.';
  const depth = (folder: string): number => 1 + Math.max(0, ...inside(folders.get(folder)).map(depth));
  const arrows = [...folders].flatMap(([from, targets]) =>
    inside(targets).map((to) => `${nameOf(from)} → ${nameOf(to)}`),
  );
  return { folders: folders.size, levels: Math.max(...[...folders.keys()].map(depth)), arrows };
};
