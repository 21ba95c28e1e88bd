import { describe, expect, it } from "vitest";
import { memoryRecord, memoryText } from "../../../src/memory/record.ts";
import type { Item } from "../../../src/store/index.ts";

const createdAt = new Date("2026-01-02T00:00:00Z");
const updatedAt = new Date("2026-01-03T00:00:00Z");

function read(value: Record<string, unknown>): ReturnType<typeof memoryRecord> {
  const item: Item = { namespace: ["m", "asha"], key: "k", value, createdAt, updatedAt, version: 3 };
  return memoryRecord(item, { defaultImportance: 0.5 });
}

describe("memoryRecord", () => {
  it("reads what the memory tools wrote", () => {
    expect(read({ content: "likes tea" })).toMatchObject({
      namespace: ["m", "asha"],
      key: "k",
      kind: "memory",
      content: "likes tea",
      importance: 0.5,
      categories: [],
      source: null,
      private: false,
      createdAt,
      updatedAt,
      version: 3,
    });
  });

  it("reads what langmem wrote", () => {
    const record = read({ kind: "Memory", content: { content: "likes tea" } });
    expect(record).toMatchObject({ kind: "Memory", content: { content: "likes tea" } });
    expect(memoryText(record.content)).toBe("likes tea");
  });

  it("reads all that the engine writes", () => {
    const record = read({
      kind: "memory",
      content: "moves in March",
      importance: 0.9,
      categories: ["plans"],
      source: "chat",
      private: true,
      metadata: { a: 1 },
      role: "human",
      name: "Asha",
      at: "2026-01-01T10:00:00.000Z",
      eventDate: "2026-03",
      subject: "Asha",
      attribute: "home",
      threadId: "t",
      messageIds: ["1"],
      last_accessed: "2026-01-05T00:00:00.000Z",
    });
    expect(record).toMatchObject({
      importance: 0.9,
      categories: ["plans"],
      source: "chat",
      private: true,
      metadata: { a: 1 },
      role: "human",
      name: "Asha",
      at: new Date("2026-01-01T10:00:00.000Z"),
      eventDate: "2026-03",
      subject: "Asha",
      attribute: "home",
      threadId: "t",
      messageIds: ["1"],
      lastAccessedAt: new Date("2026-01-05T00:00:00.000Z"),
    });
  });

  it("takes fields of an unexpected type for missing", () => {
    expect(
      read({ content: null, importance: 7, categories: "x", metadata: [1], at: "soon", private: "yes" }),
    ).toMatchObject({
      content: null,
      importance: 0.5,
      categories: [],
      metadata: {},
      at: undefined,
      private: false,
    });
  });

  it("takes a value of the app's own for the content", () => {
    const record = read({ text: "likes tea", n: 1 });
    expect(record.content).toEqual({ text: "likes tea", n: 1 });
    expect(memoryText(record.content)).toBe('{"n":1,"text":"likes tea"}');
  });
});
