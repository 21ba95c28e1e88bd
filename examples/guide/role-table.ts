// Runs the role table of docs/message.md: each name reads as the page says, in `role`, in `type` and from a class of the app's own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MessageReducer, viewOf } from "keepsake";

const page = readFileSync(join(import.meta.dirname, "../../docs/message.md"), "utf8");
const rows = [...page.matchAll(/^\| (`.+`) \| `(\w+)` \| (pruned|never pruned|pruned with its call) \|$/gm)];
assert.equal(rows.length, 6);

class Note {
  readonly #role: string;
  constructor(role: string) {
    this.#role = role;
  }
  get role(): string {
    return this.#role;
  }
  get content(): string {
    return "from long ago";
  }
}

const first = { role: "system", content: "You are helpful" };
const later = Array.from({ length: 6 }, (_, index) => ({ role: "user", content: `later ${index}` }));
const reducer = new MessageReducer({ maxMessages: 4, minMessages: 2 });

for (const [, names = "", treatedAs, fate] of rows) {
  for (const [, name = ""] of names.matchAll(/`([^`]+)`/g)) {
    for (const message of [
      { role: name, content: "from long ago" },
      { type: name, content: "x" },
      new Note(name),
    ]) {
      assert.equal(viewOf(message).role, treatedAs, name);
      const { pruned } = await reducer.reduce({ existing: [first, message, ...later] });
      assert.equal(pruned.includes(message), fate !== "never pruned", name);
    }
  }
}
