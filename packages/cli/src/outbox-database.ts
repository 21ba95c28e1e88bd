import type { Outbox } from "keepsake";
import { PostgresOutbox } from "keepsake/postgres";
import { SqliteOutbox } from "keepsake/sqlite";
import { checkFolder, failed, kindOfPath } from "./database.ts";
import { openDriver } from "./driver.ts";
import { CliError } from "./errors.ts";

/** Where an outbox is. */
export interface OutboxPlace {
  /** A file, or a Postgres address. */
  readonly db: string;
  /** The schema of its tables in Postgres. */
  readonly schema: string;
}

/** An outbox that can be looked into. */
export type OpenOutbox = Outbox & Required<Pick<Outbox, "deliveries">>;

/** Works with the outbox that is there; a file that is not there is an error, unless it is to be made. */
export async function withOutbox<T>(
  { db, schema }: OutboxPlace,
  { make }: { readonly make: boolean },
  work: (outbox: OpenOutbox) => Promise<T>,
): Promise<T> {
  if (/^postgres(?:ql)?:\/\//.test(db)) {
    const outbox = new PostgresOutbox({ connectionString: db, schema });
    try {
      return await work(outbox);
    } finally {
      await outbox.close();
    }
  }
  await checkFile(db, make);
  const driver = await openDriver(db).catch((cause: unknown) => {
    throw failed(db, cause);
  });
  const outbox = new SqliteOutbox(db, { driver });
  try {
    return await work(outbox);
  } finally {
    await outbox.close();
    driver.close();
  }
}

async function checkFile(path: string, make: boolean): Promise<void> {
  if ((await kindOfPath(path)) === "file") return;
  if (make) return checkFolder(path);
  throw new CliError(
    "missing_database",
    `There is no database "${path}". Name the file of the outbox, or its Postgres address, with --db.`,
  );
}
