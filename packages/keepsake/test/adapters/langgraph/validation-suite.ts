import type { BaseMessage } from "@langchain/core/messages";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ReducingSaver } from "../../../src/adapters/langgraph/index.ts";
import { MessageReducer } from "../../../src/reducer/index.ts";
import type { SaverKind } from "./saver-harness.ts";

// LangGraph's suite for savers takes its test runner from the global scope.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

/** LangGraph's own suite, of a saver bare and wrapped: what the one passes, the other must. */
export function describeValidation({ name, create }: SaverKind): void {
  describe.each(["bare", "wrapped"])("%s", (dress) => {
    // Some of its lists hold no messages: that is said.
    beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
    afterAll(() => void vi.restoreAllMocks());
    const initializer = {
      checkpointerName: name,
      createCheckpointer: async () => {
        const saver = await create();
        return dress === "bare"
          ? saver
          : new ReducingSaver(saver, new MessageReducer<BaseMessage>({ minMessages: 1, maxMessages: 2 }));
      },
    };
    validate(initializer);
    deltaChannelHistoryTests(initializer);
  });
}
