import { viewOf } from "keepsake";
import { expect, test } from "vitest";
import { identified } from "../src/conversation/identify.ts";

const idsOf = (messages: Record<string, unknown>[]): unknown[] =>
  identified(messages).map((message) => viewOf(message).id);

test("a message without an id is known by its place", () => {
  expect(
    idsOf([
      { role: "user", content: "ok" },
      { role: "user", content: "ok" },
    ]),
  ).toEqual(["#0", "#1"]);
});

test("an id stays, a number becomes text, an id used twice gets its place", () => {
  const messages = [
    { role: "user", id: "a" },
    { role: "user", id: 7 },
    { role: "user", id: "a" },
    { role: "user", id: "a#2" },
    { role: "user", id: "a" },
  ];
  expect(idsOf(messages)).toEqual(["a", "7", "a#2", "a#2#3", "a#4"]);
  expect(identified(messages)[0]).toBe(messages[0]);
});

test("a made id never takes one that a later message brings", () => {
  const ids = idsOf([{ role: "user" }, { role: "user", id: "#0" }]);
  expect(new Set(ids).size).toBe(2);
});

test("LangChain's serialised messages get theirs inside, and nothing is changed in place", () => {
  const dict = { type: "human", data: { content: "a" } };
  const json = { lc: 1, type: "constructor", id: ["langchain", "HumanMessage"], kwargs: { content: "b" } };
  expect(identified([dict, json])).toEqual([
    { type: "human", data: { content: "a", id: "#0" } },
    { lc: 1, type: "constructor", id: ["langchain", "HumanMessage"], kwargs: { content: "b", id: "#1" } },
  ]);
  expect(dict.data).toEqual({ content: "a" });
});
