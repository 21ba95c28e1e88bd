import { decodeNamespace } from "../../store/index.ts";
import { lockNamespace } from "./postgres-items.ts";
import { readIndexRecord, replaceVectorIndex } from "./postgres-reindex.ts";
import { everything } from "./postgres-scope.ts";
import { type Database, type Transaction, text, transaction } from "./postgres-transaction.ts";
import type { Vectors } from "./postgres-vectors.ts";

/** Namespaces that are cleared in one transaction. */
const clearedAtOnce = 50;

/** Removes what has expired, makes an index of vectors that is missing, and gives the planner fresh statistics. */
export async function maintain(database: Database, vectors: Vectors, now: number): Promise<void> {
  while (await transaction(database, "write", (tx) => clearExpired(tx, now)));
  await transaction(database, "write", async (tx) => {
    const { model } = await readIndexRecord(tx, "write");
    if (model !== undefined) await replaceVectorIndex(tx, vectors, undefined, model.dims);
  });
  const { namespaces, items, documents, vectors: table } = database.tables;
  // Who does not own the tables gets a notice, no error.
  await transaction(database, "write", (tx) =>
    tx.all(`ANALYZE ${[namespaces, items, documents, table].join(", ")}`),
  );
}

/** True where there may be more. */
async function clearExpired(tx: Transaction, now: number): Promise<boolean> {
  await tx.enter(everything);
  const rows = await tx.all(
    `SELECT n.name FROM ${tx.tables.namespaces} n
     WHERE EXISTS (SELECT 1 FROM ${tx.tables.items} i WHERE i.namespace = n.id AND i.expires_at <= $1) ORDER BY n.id LIMIT $2`,
    now,
    clearedAtOnce,
  );
  for (const row of rows) await lockNamespace(tx, decodeNamespace(text(row, "name")), now);
  return rows.length === clearedAtOnce;
}
