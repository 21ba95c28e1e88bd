import { createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { PostgresStore } from "../../src/stores/postgres/index.ts";
import { targetOf } from "../../src/stores/postgres/postgres-client.ts";
import { databaseError } from "../../src/stores/postgres/postgres-errors.ts";

const ns = ["n"];
const pool = { connect: () => Promise.reject(new Error("never called")) };
const password = "s3cr3t/with:odd@characters";
const encoded = encodeURIComponent(password);

/** Everything that a log would show of an error, its causes included. */
function everythingIn(error: unknown): string {
  const seen: unknown[] = [];
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null || seen.includes(value)) return;
    seen.push(value);
    for (const name of Reflect.ownKeys(value)) visit(Reflect.get(value, name));
  };
  visit(error);
  return texts.join("\n");
}

describe("configuration that cannot work is refused at construction", () => {
  test.each([
    [undefined, "must be an object"],
    [{}, "either `connectionString` or `pool`"],
    [{ connectionString: undefined }, "Is the environment variable set"],
    [{ connectionString: "postgres://localhost/a", pool }, "both given"],
    [{ connectionString: "" }, "connectionString must be a text"],
    [{ connectionString: "localhost:5432" }, "postgres://user:password@host:5432/database"],
    [{ connectionString: "postgres://user:p#w@host:x/db" }, "percent-encoded"],
    [{ pool: {} }, "a pool with the function connect"],
    [{ pool, schema: "" }, "schema must be a name"],
    [{ pool, schema: "pg_mine" }, "schema must be a name"],
    [{ pool, schema: "a\0b" }, "schema must be a name"],
    [{ pool, schema: "ä".repeat(32) }, "1 to 63 bytes"],
    [{ pool, rls: "yes" }, "rls must be true or false"],
    [{ pool, shema: "a" }, 'Did you mean "schema"'],
    [{ connectonString: "postgres://a/b" }, 'Did you mean "connectionString"'],
    [{ pool, index: { fields: [] } }, "empty"],
  ])("%#", (config, words) => {
    expect(() => new PostgresStore(config as never)).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringContaining(words) }),
    );
  });

  test.each([
    { connectionString: `postgres://user:${password}@host:x/db` },
    { connectionString: `mysql://user:${encoded}@host/db` },
    { connectionString: [`postgres://user:${password}@host/db`] },
    { connectionString: { url: `postgres://user:${encoded}@host/db` } },
    { connectionString: new URL(`postgres://user:${encoded}@host/db`) },
    `postgres://user:${password}@host/db`,
    { pool: `postgres://user:${password}@host/db` },
    { pool: `postgres://user:${encoded}@host/db` },
    ...["schema", "rls", "index", "now", "logger", "url"].flatMap((option) =>
      [password, encoded].map((secret) => ({ pool, [option]: `postgres://user:${secret}@host/db` })),
    ),
    { pool, schema: `postgres://host/db?password=${encoded}` },
    { pool, rls: { connectionString: `postgres://user:${encoded}@host/db` } },
    { pool, rls: { host: "db", password } },
    { pool, index: { embed: `postgres://user:${encoded}@host/db` } },
    { pool, index: { dims: `postgres://user:${encoded}@host/db` } },
    { pool, index: { ranking: `postgres://user:${encoded}@host/db` } },
    { pool, index: { ranking: { k: `postgres://user:${encoded}@host/db` } } },
    { pool, index: { fields: `postgres://user:${encoded}@host/db` } },
  ])("without showing a password (%#)", (config) => {
    let thrown: unknown;
    try {
      new PostgresStore(config as never);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "invalid_config" });
    expect(everythingIn(thrown)).not.toContain(password);
    expect(everythingIn(thrown)).not.toContain(encoded);
  });
});

describe("a password that is not percent-encoded is refused, without a piece of it", () => {
  const pieces = /1234|wxyz/;
  test.each([
    "postgres://user:1234/wxyz@host/db",
    "postgres://user:1234?wxyz@host/db",
    "postgres://user:1234?a=wxyz@host/db",
    "postgres://user:1234#wxyz@host/db",
    "postgres://user:a@1234/wxyz@host/db",
    "postgres://user:a@1234?wxyz@host/db",
    "postgres://1234%40wxyz/db",
    "postgres://1234:wxyz/a@host/db",
  ])("%s", (connectionString) => {
    let thrown: unknown;
    try {
      new PostgresStore({ connectionString });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("/ is %2F"),
    });
    expect(everythingIn(thrown).replaceAll(/\n\s+at .*/g, "")).not.toMatch(pieces);
  });

  test.each([
    "postgres://user:p@ss@host/db",
    "postgres://user:pass@host/a%40b",
    "postgres://user:pass@host/db?application_name=a@b",
    "postgresql:///db?host=/tmp&user=me",
  ])("what is clear is taken: %s", (connectionString) => {
    expect(() => new PostgresStore({ connectionString })).not.toThrow();
  });
});

describe("masking", () => {
  const subject = (text: string) => targetOf(`postgres://user:${encodeURIComponent(text)}@host/app`);
  test("a short password is masked in an address, and leaves the words alone", () => {
    for (const short of ["user", "a", "o"]) {
      const { message } = databaseError(
        new Error(`no user at postgres://user:${short}@host`),
        subject(short),
      );
      expect(message).toContain('The Postgres database "app" at host failed');
      expect(message).toContain("It says: no user at postgres://user:***@host");
    }
  });

  test("a longer one is masked wherever it stands, as written and as meant", () => {
    const { message } = databaseError(new Error(`${password} or ${encoded}`), subject(password));
    expect(message).toMatch(/It says: \*\*\* or \*\*\*$/);
    const raw = targetOf("postgres://user:p@ss:word@host/app");
    expect(databaseError(new Error("p@ss:word, p%40ss%3Aword"), raw).message).toMatch(/: \*\*\*, \*\*\*$/);
  });
});

describe("a database that cannot be reached", () => {
  test("nothing answers: the error names host and port, no password, and the next call tries again", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const store = new PostgresStore({
      connectionString: `postgres://user:${encoded}@127.0.0.1:${port}/app`,
    });
    for (let time = 0; time < 2; time += 1) {
      const error = await store.get(ns, "k").catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: "database_failed",
        message: expect.stringMatching(
          new RegExp(`database "app" at 127\\.0\\.0\\.1:${port} cannot be reached: nothing answers there`),
        ),
        data: { code: "ECONNREFUSED" },
      });
      expect(everythingIn(error)).not.toContain(password);
      expect(everythingIn(error)).not.toContain(encoded);
    }
    await store.close();
  });

  test("something else answers", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(
      0,
      "127.0.0.1",
    );
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const store = new PostgresStore({ connectionString: `postgres://user:${encoded}@127.0.0.1:${port}/app` });
    await expect(store.get(ns, "k")).rejects.toMatchObject({ code: "database_failed" });
    await store.close();
    server.close();
  });

  test.each([
    ["nothing", undefined, "a value of type undefined"],
    ["a text", "client", "a value of type string"],
    ["something else", { query: () => undefined }, "an object with query"],
  ])("a pool whose connect() gives %s: the error says what it must give", async (_, client, words) => {
    const store = new PostgresStore({ pool: { connect: async () => client as never } });
    await expect(store.get(ns, "k")).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(
        new RegExp(`connect\\(\\) of the option \`pool\` gave ${words}.*query and release`),
      ),
    });
    await store.close();
  });

  test("nothing can be set up once the store is closed", async () => {
    const store = new PostgresStore({ pool });
    await store.close();
    await expect(store.setup()).rejects.toMatchObject({ code: "closed" });
    await expect(store.maintain()).rejects.toMatchObject({ code: "closed" });
  });

  test("a pool of the app that fails: its error is the cause", async () => {
    const store = new PostgresStore({ pool });
    await expect(store.get(ns, "k")).rejects.toMatchObject({
      code: "database_failed",
      message: expect.stringContaining("database of the option `pool` failed. It says: never called"),
      cause: expect.objectContaining({ message: "never called" }),
    });
    await store.close();
  });
});

describe("without the package pg", () => {
  afterEach(() => {
    vi.doUnmock("pg");
    vi.resetModules();
  });

  test("the error names the package and the options", async () => {
    vi.doMock("pg", () => {
      throw new Error("Cannot find package 'pg'");
    });
    const store = new PostgresStore({ connectionString: "postgres://localhost/app" });
    await expect(store.get(ns, "k")).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringMatching(/`connectionString` needs the package pg.*npm install pg.*`pool`/),
    });
    await store.close();
  });

  test("something else of that name", async () => {
    vi.doMock("pg", () => ({ default: {}, Pool: undefined }));
    const store = new PostgresStore({ connectionString: "postgres://localhost/app" });
    await expect(store.get(ns, "k")).rejects.toMatchObject({
      code: "missing_dependency",
      message: expect.stringContaining('no class "Pool"'),
    });
    await store.close();
  });
});
