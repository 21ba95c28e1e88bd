import { encodeNamespace } from "./namespace.ts";
import type { Namespace } from "./types.ts";

/** What a write touches: one key, or, without a key, everything under a prefix. */
export interface Touched {
  readonly namespace: Namespace;
  readonly key: string | undefined;
}

/** A write's place among those of its store. */
export interface Turn {
  /** Resolves when every earlier write of the same keys has ended; `undefined` where there is none. */
  readonly earlier: Promise<unknown> | undefined;
  /** Lets the later ones go on. */
  end(): void;
}

/** Keeps writes of the same key in the order in which they were called, however long their texts take to embed. */
export interface WriteOrder {
  enter(touched: readonly Touched[]): Turn;
}

/** Each write waits only for earlier ones, so that none waits in a circle. */
export function createWriteOrder(): WriteOrder {
  const keys = new Map<string, Promise<void>>();
  const prefixes = new Map<Promise<void>, string>();

  const earlierThan = ({ namespace, key }: Touched): Promise<void>[] => {
    const name = encodeNamespace(namespace);
    const overlapping = [...prefixes].filter(
      ([, prefix]) => name.startsWith(prefix) || (key === undefined && prefix.startsWith(name)),
    );
    const same =
      key === undefined
        ? [...keys].flatMap(([place, end]) => (place.startsWith(name) ? [end] : []))
        : [keys.get(placeOf(name, key))].filter((end) => end !== undefined);
    return [...same, ...overlapping.map(([end]) => end)];
  };

  return {
    enter: (touched) => {
      const waitsFor = new Set(touched.flatMap(earlierThan));
      const { promise, resolve } = deferred();
      const places = touched.flatMap(({ namespace, key }) =>
        key === undefined ? [] : [placeOf(encodeNamespace(namespace), key)],
      );
      for (const place of places) keys.set(place, promise);
      for (const { namespace, key } of touched) {
        if (key === undefined) prefixes.set(promise, encodeNamespace(namespace));
      }
      return {
        earlier: waitsFor.size === 0 ? undefined : Promise.all(waitsFor),
        end: () => {
          for (const place of places) if (keys.get(place) === promise) keys.delete(place);
          prefixes.delete(promise);
          resolve();
        },
      };
    },
  };
}

/** Labels have no NUL in them. */
function placeOf(encodedNamespace: string, key: string): string {
  return `${encodedNamespace}\0${key}`;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
