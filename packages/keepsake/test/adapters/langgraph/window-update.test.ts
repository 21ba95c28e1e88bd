import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowUpdate } from "../../../src/adapters/langgraph/window-update.ts";

const listOf = (count: number) =>
  Array.from({ length: count }, (_, index) => new HumanMessage({ content: `${index}`, id: `m${index}` }));

const isRemoval = (message: BaseMessage) => RemoveMessage.isInstance(message);

describe("windowUpdate", () => {
  it("is nothing where nothing changes", () => {
    const list = listOf(3);
    expect(windowUpdate(list, [...list])).toBeUndefined();
    expect(windowUpdate([], [])).toBeUndefined();
  });

  it("removes what left by its id, and leaves the rest out", () => {
    const list = listOf(4);
    const update = windowUpdate(
      list,
      [list[0], list[3]].filter((message) => message !== undefined),
    );
    expect(update?.map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(update?.every(isRemoval)).toBe(true);
  });

  it("replaces in place what has become a copy", () => {
    const list = listOf(3);
    const copy = new HumanMessage({ content: "1 …", id: "m1" });
    expect(windowUpdate(list, list.with(1, copy))).toEqual([copy]);
  });

  it("writes the list anew where a message without an id left", () => {
    const nameless = new AIMessage("Hello!");
    const list = [...listOf(1), nameless, ...listOf(3).slice(2)];
    const [everything, ...rest] =
      windowUpdate(
        list,
        list.filter((message) => message !== nameless),
      ) ?? [];
    expect(everything).toMatchObject({ id: "__remove_all__" });
    expect(rest.map(({ id }) => id)).toEqual(["m0", "m2"]);
  });

  it("makes LangGraph's reducer give the window, whatever it is", () => {
    const change = fc.record({
      fate: fc.constantFrom("stays", "leaves", "copied"),
      hasId: fc.boolean(),
      insert: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.boolean(), (changes, inserts) => {
        // LangGraph gives ids to what has none; the list in the state has them.
        const list = messagesStateReducer(
          [],
          changes.map(
            ({ hasId }, index) =>
              new HumanMessage({ content: `${index}`, ...(hasId ? { id: `m${index}` } : {}) }),
          ),
        );
        const window = changes.flatMap(({ fate, insert }, index): BaseMessage[] => {
          const message = list[index] ?? new HumanMessage("");
          const copy = new HumanMessage({
            content: "short",
            ...(message.id === undefined ? {} : { id: message.id }),
          });
          const kept = fate === "leaves" ? [] : [fate === "stays" ? message : copy];
          return inserts && insert ? [new AIMessage(`summary ${index}`), ...kept] : kept;
        });
        const update = windowUpdate(list, window);
        const after = update === undefined ? list : messagesStateReducer(list, update);
        expect(after.map(({ text }) => text)).toEqual(window.map(({ text }) => text));
        if (!inserts && update !== undefined)
          expect(update.some(({ id }) => id === "__remove_all__")).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
