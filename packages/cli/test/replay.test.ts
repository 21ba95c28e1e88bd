import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conversation, folder, folderWith, keepsake, type Ran } from "./support/cli.ts";
import { keepsakeHere } from "./support/in-process.ts";

interface Document {
  readonly messages: number;
  readonly stayed: { index: number; role: string; id: string; text: string }[];
  readonly left: { index: number; role: string; id: string; text: string }[];
  readonly over_budget: boolean;
  readonly remembered: { count: number; created: number };
  readonly namespace: string[];
  readonly thread: string;
  readonly db: string;
  readonly warnings: string[];
}

async function replayed(args: string[], cwd: string): Promise<Document> {
  const ran = await keepsake(["replay", ...args, "--json"], { cwd });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

async function total(namespace: string, cwd: string): Promise<number> {
  const { stdout } = await keepsake(["list", "--namespace", namespace, "--json"], { cwd });
  return JSON.parse(stdout).total;
}

describe("replay", () => {
  test("tells what stayed, what left and what was remembered", async () => {
    const cwd = await folderWith("chat.json", conversation(30));
    const { code, stdout, stderr } = await keepsake(["replay", "chat.json"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("chat.json: 60 messages (30 user, 30 assistant)");
    expect(stdout).toMatch(/stayed in the window: \d+ messages/);
    expect(stdout).toMatch(/left the window: \d+ messages/);
    expect(stdout).toMatch(
      /remembered: (\d+) messages in \/memories\/chat \(all of them new\), database \.\/keepsake\.db/,
    );
    for (const line of stdout.split("\n").slice(0, -3)) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("every message stays or leaves, and those that left are in the database", async () => {
    const messages = conversation(30);
    const cwd = await folderWith("chat.json", { id: 1, messages });
    const document = await replayed(["chat.json"], cwd);
    const { stayed, left } = document;
    expect([...stayed, ...left].map(({ index }) => index).sort((a, b) => a - b)).toEqual(
      messages.map((_, index) => index),
    );
    expect(stayed.length).toBeLessThanOrEqual(20);
    expect(left[0]).toEqual({ index: 1, role: "assistant", id: "#1", text: "thing0 is number 0" });
    expect(document).toMatchObject({
      messages: 60,
      over_budget: false,
      remembered: { count: left.length, created: left.length },
      namespace: ["memories", "chat"],
      thread: "chat",
      db: "./keepsake.db",
      warnings: [],
    });
    const { stdout } = await keepsake(["list", "-n", "/memories/chat", "--limit", "100", "--json"], { cwd });
    const { items } = JSON.parse(stdout);
    const contents = items.map((item: { value: { content: string } }) => item.value.content);
    expect(contents.sort()).toEqual(left.map(({ text }) => text).sort());
  });

  test("a second run writes over what the first one wrote, whatever the window", async () => {
    const cwd = await folderWith("chat.json", [...conversation(10), ...conversation(10)]);
    const first = await replayed(["chat.json"], cwd);
    const second = await replayed(["chat.json"], cwd);
    expect(second.remembered).toEqual({ count: first.remembered.count, created: 0 });
    expect(await total("/memories/chat", cwd)).toBe(first.remembered.count);
    const narrower = await replayed(["chat.json", "--max-messages", "4"], cwd);
    expect(narrower.remembered.created).toBe(narrower.left.length - first.left.length);
    expect(await total("/memories/chat", cwd)).toBe(narrower.left.length);
  });

  test("a longer version of the file adds what is new", async () => {
    const cwd = await folderWith("chat.json", conversation(20));
    await replayed(["chat.json", "--hand-over"], cwd);
    await writeFile(join(cwd, "chat.json"), JSON.stringify(conversation(25)));
    expect((await replayed(["chat.json", "--hand-over"], cwd)).remembered).toEqual({
      count: 50,
      created: 10,
    });
  });

  test("--hand-over remembers what stayed too, but no system message", async () => {
    const cwd = await folderWith("chat.json", [{ role: "system", content: "Be kind." }, ...conversation(3)]);
    const document = await replayed(["chat.json", "--hand-over"], cwd);
    expect(document).toMatchObject({ left: [], remembered: { count: 6, created: 6 } });
    expect(document.stayed).toHaveLength(7);
  });

  test("a short conversation stays: nothing is remembered and no database is made", async () => {
    const cwd = await folderWith("chat.json", conversation(3));
    const { code, stdout } = await keepsake(["replay", "chat.json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("remembered: nothing; ./keepsake.db was not touched");
    expect(await readdir(cwd)).toEqual(["chat.json"]);
  });

  test("an empty conversation is one", async () => {
    const cwd = await folderWith("chat.json", []);
    expect(await replayed(["chat.json"], cwd)).toMatchObject({ messages: 0, stayed: [], left: [] });
  });

  test("limits, namespace, thread and database are those given", async () => {
    const cwd = await folderWith("chat.json", conversation(20));
    const options = [
      "--max-messages",
      "6",
      "--min-messages",
      "4",
      "--namespace",
      '["team","a/b"]',
      "--thread",
      "t1",
    ];
    const document = await replayed(["chat.json", ...options, "--db", "other.db"], cwd);
    expect(document.stayed.length).toBeLessThanOrEqual(6);
    expect(document).toMatchObject({ namespace: ["team", "a/b"], thread: "t1", db: "other.db" });
    expect((await readdir(cwd)).filter((name) => name.endsWith(".db"))).toEqual(["other.db"]);
  });

  test("by tokens, and with the boundary at any message", async () => {
    const cwd = await folderWith("chat.json", conversation(40));
    const byTokens = await replayed(["chat.json", "--max-tokens", "100", "--target-tokens", "60"], cwd);
    expect(byTokens.stayed.length).toBeLessThan(20);
    const options = ["--boundary", "message", "--max-messages", "10", "--min-messages", "5", "--db", "m.db"];
    const byMessage = await replayed(["chat.json", ...options], cwd);
    expect(byMessage.stayed.length).toBeLessThanOrEqual(10);
    expect(byMessage.stayed).not.toEqual(byTokens.stayed);
  });

  test("standard input, UTF-8 with a byte order mark, UTF-16", async () => {
    const cwd = await folder();
    const text = JSON.stringify(conversation(12));
    const inputs = [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, "utf16le")];
    for (const input of inputs) {
      const { code, stdout } = await keepsake(["replay", "-", "--json"], { cwd, input });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ messages: 24, namespace: ["memories", "stdin"] });
    }
  });

  test("serialised LangChain messages and tool calls", async () => {
    const message = (name: string, kwargs: object) => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", name],
      kwargs,
    });
    const turn = [
      message("HumanMessage", { content: "Weather in Lisbon?" }),
      message("AIMessage", { content: "", tool_calls: [{ id: "c", name: "weather", args: {} }] }),
      message("ToolMessage", { content: "21 degrees", tool_call_id: "c" }),
      message("AIMessage", { content: "Warm." }),
    ];
    const cwd = await folderWith("chat.json", [...turn, ...conversation(12)]);
    const { left } = await replayed(["chat.json"], cwd);
    expect(left.slice(0, 3).map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    const { stdout } = await keepsake(["search", "degrees", "-n", "/memories/chat"], { cwd });
    expect(stdout).toContain("21 degrees");
  });

  test("messages whose text is not where it is looked for are pointed out", async () => {
    const body = [{ type: "text", text: "hi" }];
    const cwd = await folderWith("chat.json", [
      ...conversation(1),
      { role: "user", body },
      { role: "user", content: "" },
    ]);
    expect((await replayed(["chat.json"], cwd)).warnings).toEqual([
      "2 messages without a text that keepsake can read, first messages[2].",
    ]);
  });

  test("a role that is not known is pointed out", async () => {
    const cwd = await folderWith("chat.json", [{ role: "bot", content: "beep" }, ...conversation(2)]);
    const { stdout } = await keepsake(["replay", "chat.json"], { cwd });
    expect(stdout).toContain(
      '1 message of role "bot", which keepsake does not know: kept in the window, never pruned.',
    );
  });
});

describe("replay --check", () => {
  const here = async (messages: unknown, ...options: string[]): Promise<Ran> => {
    const cwd = await folderWith("chat.json", messages);
    return keepsakeHere(["replay", join(cwd, "chat.json"), "--db", join(cwd, "keepsake.db"), ...options]);
  };
  const greeting = { role: "assistant", content: "Hello, how can I help?" };
  const late = { role: "system", content: "Be kind." };

  test("a valid window is said to be one", async () => {
    const { code, stdout, stderr } = await here(conversation(12), "--check");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("checked: the window is valid by the rules that at least two providers share");
    const plain = await here(conversation(12));
    expect(plain.stdout).not.toContain("checked");
  });

  test("what is wrong, by the place in the file, and what to do; exit code 1; what left is remembered", async () => {
    const messages = [greeting, ...conversation(12), late, ...conversation(1)];
    const { code, stdout, stderr } = await here(messages, "--check");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "checked: the window is not valid by the rules that at least two providers share",
    );
    expect(stdout).toContain("messages[0] comes first, and is not the user's. Begin with a user message.");
    expect(stdout).toContain("messages[25] is a system message behind others. Put it first.");
    expect(stdout).toContain("system-in-the-middle");
    expect(stdout).toMatch(/remembered: \d+ messages/);
    expect(stderr).toBe(
      "error: The window is not valid by the rules that at least two providers share: 2 reasons. (check_failed)\n",
    );
  });

  test("by the rules of one provider", async () => {
    const messages = [greeting, ...conversation(2)];
    const chat = await here(messages, "--provider", "openai-chat");
    expect(chat).toMatchObject({ code: 0, stderr: "" });
    expect(chat.stdout).toContain("the window is valid for openai-chat");
    expect((await here(messages, "--provider", "gemini")).code).toBe(1);
    const unknown = await here(messages, "--provider", "antropic");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("anthropic");
  });

  test("as JSON", async () => {
    const valid = await here(conversation(2), "--check", "--json");
    expect(JSON.parse(valid.stdout).check).toEqual({ provider: "any", violations: [] });
    const { code, stdout, stderr } = await here(
      [greeting, ...conversation(2)],
      "--provider",
      "bedrock",
      "--json",
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).check).toEqual({
      provider: "bedrock",
      violations: [
        {
          rule: "first-not-user",
          index: 0,
          message: "messages[0] comes first, and is not the user's.",
          fix: "Begin with a user message.",
        },
      ],
    });
    expect(JSON.parse(stderr).error.code).toBe("check_failed");
  });

  test("items and contents of other formats are read", async () => {
    const items = [
      { role: "user", content: "Weather in Lisbon?" },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "function_call", id: "fc_1", call_id: "a", name: "weather", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "21 degrees" },
    ];
    expect(await here(items, "--provider", "openai-responses")).toMatchObject({ code: 0 });
    const contents = [
      { role: "user", parts: [{ text: "Weather in Lisbon?" }] },
      { role: "model", parts: [{ functionCall: { name: "weather", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "weather", response: { output: "21" } } }] },
    ];
    expect(await here(contents, "--provider", "gemini")).toMatchObject({ code: 0 });
  });
});

describe("replay of what cannot be replayed: exit code 1, a sentence, and nothing written", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["not JSON", '[{"role": "user" "content": 1}]', "line 1, column 18: not JSON: expected a comma or }"],
    ["cut off", '[{"role": "user"', "the text ends too early"],
    ["empty", "", "the text is empty"],
    ["no list", '{"chat": []}', 'expected an array of messages, or an object with an array "messages"'],
    ["null inside", '[{"role":"user"},null]', "messages[1]: expected a message, an object, got null"],
    ["no role", '[{"content":"hi"}]', 'messages[0]: a message needs a "role"'],
    [
      "bad content",
      '[{"role":"user","content":7}]',
      "messages[0].content: expected a string or an array of parts, got number 7",
    ],
    ["not text", Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), "is not utf-8 text"],
    ["an escape sequence", '[{"role":"\u001b[31m"', "line 1, column 11: not JSON: a control character"],
  ])("%s", async (_, content, message) => {
    const cwd = await folderWith("chat.json", content);
    const ran = await keepsakeHere(["replay", join(cwd, "chat.json"), "--db", join(cwd, "keepsake.db")]);
    expectRefusal(ran, message);
    expect(await readdir(cwd)).toEqual(["chat.json"]);
  });

  test("a bad message after thousands of good ones leaves the database as it was", async () => {
    const cwd = await folderWith("chat.json", conversation(15));
    await replayed(["chat.json"], cwd);
    const before = await total("/memories/chat", cwd);
    await writeFile(join(cwd, "chat.json"), JSON.stringify([...conversation(2000), { role: 1 }]));
    expectRefusal(await keepsake(["replay", "chat.json"], { cwd }), "messages[4000].role: expected a string");
    expect(await total("/memories/chat", cwd)).toBe(before);
  });

  test("a file that is not there, a directory", async () => {
    const cwd = await folder();
    expectRefusal(await keepsake(["replay", "nope.json"], { cwd }), 'There is no file "nope.json".');
    expectRefusal(await keepsake(["replay", "."], { cwd }), '"." is a directory');
    expect(await readdir(cwd)).toEqual([]);
  });

  test("a database that is none stays as it is", async () => {
    const cwd = await folderWith("chat.json", conversation(20));
    await writeFile(
      join(cwd, "notes.db"),
      "these are my notes, not a database, and they are long enough to be read as a header",
    );
    expectRefusal(await keepsake(["replay", "chat.json", "--db", "notes.db"], { cwd }), "notes.db");
    expect(await readFile(join(cwd, "notes.db"), "utf8")).toContain("these are my notes");
    expect((await readdir(cwd)).sort()).toEqual(["chat.json", "notes.db"]);
  });

  test("a database in a folder that is not there, or that is a folder", async () => {
    const cwd = await folderWith("chat.json", conversation(20));
    expectRefusal(
      await keepsake(["replay", "chat.json", "--db", "no/such.db"], { cwd }),
      'there is no directory "no"',
    );
    expectRefusal(await keepsake(["replay", "chat.json", "--db", "."], { cwd }), '"." is a directory');
    expect(await readdir(cwd)).toEqual(["chat.json"]);
  });

  test("errors are JSON with --json", async () => {
    const cwd = await folderWith("chat.json", "[null]");
    const { code, stdout, stderr } = await keepsake(["replay", "chat.json", "--json"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "malformed_conversation",
        message: "chat.json: messages[0]: expected a message, an object, got null.",
      },
    });
  });
});

function expectRefusal({ code, stdout, stderr }: Ran, message: string): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toContain("\u001b");
}
