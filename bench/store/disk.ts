import { statSync } from "node:fs";
import { join } from "node:path";
import { SqliteStore } from "keepsake/sqlite";
import type { IndexConfig } from "keepsake/store";
import { type Setting, vectorIndex } from "./setting.ts";
import { textSource } from "./texts.ts";

/** What vectors take on the disk, in many small namespaces. */
export interface Disk {
  readonly namespaces: number;
  readonly itemsPerNamespace: number;
  readonly dims: number;
  readonly withoutVectorsMb: number;
  readonly withVectorsMb: number;
  /** 32-bit floats, and nothing else. */
  readonly rawMb: number;
  /** What the vectors add, by the raw floats. */
  readonly times: number;
}

const namespaces = 1000;
const itemsPerNamespace = 10;

export async function measureDisk(setting: Setting, dims: number): Promise<Disk> {
  const withoutVectorsMb = await megabytes(setting, "words", { fields: ["content"] });
  const withVectorsMb = await megabytes(setting, "vectors", vectorIndex(dims));
  const rawMb = (namespaces * itemsPerNamespace * dims * 4) / 1e6;
  const times = (withVectorsMb - withoutVectorsMb) / rawMb;
  return { namespaces, itemsPerNamespace, dims, withoutVectorsMb, withVectorsMb, rawMb, times };
}

async function megabytes(setting: Setting, name: string, index: IndexConfig): Promise<number> {
  setting.progress(name);
  const path = join(setting.folder, `${name}.db`);
  const store = new SqliteStore(path, { driver: setting.driver, index });
  const source = textSource();
  // Users come and go: item after item for all of them, not one user after the other.
  for (let n = 0; n < itemsPerNamespace; n += 1) {
    await store.batch(
      Array.from({ length: namespaces }, (_, user) => ({
        namespace: ["bench", `u${user}`],
        key: `k${n}`,
        value: { content: source.text(25) },
      })),
    );
  }
  await store.close();
  return statSync(path).size / 1e6;
}
