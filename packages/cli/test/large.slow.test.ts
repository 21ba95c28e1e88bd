import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { folder, keepsake } from "./support/cli.ts";

const size = 50_000_000;
const words =
  "seat window aisle flight hotel garden river bridge lantern tea paper train market island".split(" ");

/** Writes a conversation of 50 MB in messages of some 500 characters; `last` is the end of the file. */
async function writeLarge(path: string, last: string): Promise<number> {
  const file = createWriteStream(path);
  let written = 0;
  let count = 0;
  file.write("[");
  while (written < size) {
    const text = Array.from(
      { length: 80 },
      (_, index) => words[(count * 7 + index * index) % words.length],
    ).join(" ");
    const role = count % 2 === 0 ? "user" : "assistant";
    const line = `${count === 0 ? "" : ",\n"}${JSON.stringify({ role, content: `${count} ${text}` })}`;
    written += line.length;
    count += 1;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end(last);
  await finished(file);
  return count;
}

test("a file of 50 MB is replayed within 768 MB of heap, and is found again", {
  timeout: 3_600_000,
}, async () => {
  const cwd = await folder();
  const count = await writeLarge(join(cwd, "large.json"), "]");
  const env = { NODE_OPTIONS: "--max-old-space-size=768" };
  const { code, stdout, stderr } = await keepsake(["replay", "large.json"], { cwd, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`large.json: ${count} messages`);
  const found = await keepsake(
    ["search", String(count >> 1), "-n", "/memories/large", "--limit", "1", "--json"],
    { cwd },
  );
  expect(JSON.parse(found.stdout).items[0].value.content).toContain(String(count >> 1));
});

test("a file of 50 MB whose last message is bad writes nothing", { timeout: 600_000 }, async () => {
  const cwd = await folder();
  const count = await writeLarge(join(cwd, "large.json"), ',{"role":"user","content":7}]');
  const { code, stderr } = await keepsake(["replay", "large.json"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(
    `messages[${count}].content: expected a string or an array of parts, got number 7`,
  );
  expect(await readdir(cwd)).toEqual(["large.json"]);
});
