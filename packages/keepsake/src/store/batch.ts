import type { Item, SearchItem } from "./item.ts";

/** Operations of a batch are LangGraph's: their properties tell what they are. */
export type StoreOperation =
  | { readonly namespace: readonly string[]; readonly key: string }
  | {
      readonly namespace: readonly string[];
      readonly key: string;
      /** `null` deletes. */
      readonly value: Readonly<Record<string, unknown>> | null;
      readonly index?: false | readonly string[] | undefined;
    }
  | {
      readonly namespacePrefix: readonly string[];
      readonly query?: string | undefined;
      readonly filter?: Readonly<Record<string, unknown>> | undefined;
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
    }
  | {
      readonly matchConditions?:
        | readonly { readonly matchType: "prefix" | "suffix"; readonly path: readonly string[] }[]
        | undefined;
      readonly maxDepth?: number | undefined;
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
    };

/** What one operation gives back. */
type OperationResult<Operation> = Operation extends { readonly value: unknown }
  ? undefined
  : Operation extends { readonly namespacePrefix: unknown }
    ? SearchItem[]
    : Operation extends { readonly key: unknown }
      ? Item | null
      : string[][];

/** The results of a batch, each in the place of its operation. */
export type BatchResults<Operations extends readonly unknown[]> = {
  -readonly [Place in keyof Operations]: OperationResult<Operations[Place]>;
};
