import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { MessageReducer } from "../../../src/index.ts";
import { rememberVerbatim, turnIndex } from "../../../src/memory/index.ts";
import { InMemoryStore, type Store } from "../../../src/store/index.ts";
import { SqliteStore } from "../../../src/stores/sqlite/index.ts";
import { deliver, found, namespace, turnsIn } from "./harness.ts";

interface Message {
  id: string;
  role: "user" | "assistant";
  content: string;
}

const places = ["Lisbon", "Porto", "Faro", "Braga", "Evora"];
const conversation: Message[] = Array.from({ length: 60 }, (_, index) => ({
  id: `m${index}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content:
    index % 2 === 0
      ? `Question ${index}: where did we stay in ${places[(index / 2) % 5]}?`
      : `Answer ${index}: at the inn number ${index * 7}.`,
}));

const folder = mkdtempSync(join(tmpdir(), "keepsake-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs messages through a reducer, as one process does: with a ledger of its own. */
async function run(
  store: Store,
  window: Message[],
  incoming: readonly Message[],
  end: boolean,
): Promise<Message[]> {
  const reducer = new MessageReducer<Message>({ preserveFirst: false, onPrune: [rememberVerbatim(store)] });
  let current = window;
  for (const message of incoming)
    current = (await reducer.reduce({ existing: current, new: [message], namespace, threadId: "trip" }))
      .surviving;
  if (end) await reducer.handOver({ messages: current, namespace, threadId: "trip" });
  return current;
}

describe("a conversation through the reducer into a SQLite file", () => {
  it("is stored once, in order, with its surroundings, over restarts and repeated hand-overs", async () => {
    const path = join(folder, "memory.db");
    let window: Message[] = [];
    for (let start = 0; start < conversation.length; start += 13) {
      const store = new SqliteStore(path, { index: turnIndex });
      // Every session ends with a hand-over of all that is still in the window: much of it comes again.
      window = await run(store, window, conversation.slice(start, start + 13), true);
      await store.close();
    }

    const expected = new InMemoryStore();
    await deliver(rememberVerbatim(expected), conversation, { threadId: "trip" });
    const store = new SqliteStore(path, { index: turnIndex });
    expect(await turnsIn(store)).toEqual(await turnsIn(expected));
    expect(await found(store, "question 40 number")).toContain("Answer 41: at the inn number 287.");
    await store.close();
  });
});

describe("two processes that deliver to one thread", () => {
  it("lose no turn and give no position twice", async () => {
    const path = join(folder, "shared.db");
    const script = fileURLToPath(new URL("./deliver-child.ts", import.meta.url));
    const child = (name: string) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", script, path, name]);
    await Promise.all([child("left"), child("right")]);
    const store = new SqliteStore(path);
    const turns = await turnsIn(store);
    await store.close();
    expect(turns.map(({ position }) => position)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    for (const name of ["left", "right"]) {
      const own = turns.filter(({ content }) => content.startsWith(name));
      expect(own.map(({ content }) => content)).toEqual(
        Array.from({ length: 50 }, (_, turn) => `${name} turn ${turn}`),
      );
    }
  });
});
