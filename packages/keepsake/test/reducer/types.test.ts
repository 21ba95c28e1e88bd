import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expectTypeOf, it } from "vitest";
import { MessageReducer, type RememberFn } from "../../src/index.ts";

interface Message {
  readonly role: string;
  readonly content: string;
}

describe("types at the call site", () => {
  it("are those of the lists", async () => {
    const reducer = new MessageReducer();
    const result = await reducer.reduce({
      existing: [new HumanMessage("Hello")],
      new: [new AIMessage("Hi!")],
    });
    expectTypeOf(result.surviving).toEqualTypeOf<(HumanMessage | AIMessage)[]>();
    expectTypeOf(reducer.reduceSync({ new: [{ role: "user", content: "x" }] }).pruned).toEqualTypeOf<
      { role: string; content: string }[]
    >();
    expectTypeOf((await reducer.reduce({ existing: [] as Message[] })).surviving).toEqualTypeOf<Message[]>();
    expectTypeOf((await reducer.reduce({})).summary).toEqualTypeOf<string | null>();
  });

  it("are those of the hooks", () => {
    const remember: RememberFn<Message, { tenant: string }> = (pruned, namespace, context) => {
      expectTypeOf(pruned).toEqualTypeOf<Message[]>();
      expectTypeOf(namespace.tenant).toEqualTypeOf<string>();
      expectTypeOf(context.attempt).toEqualTypeOf<number>();
    };
    const reducer = new MessageReducer({ onPrune: [remember] });
    expectTypeOf(reducer).toEqualTypeOf<MessageReducer<Message, { tenant: string }>>();
    // @ts-expect-error a namespace of another type
    void reducer.reduce({ existing: [] as Message[], namespace: ["tenant"] });
    // @ts-expect-error messages of another type
    void reducer.reduce({ existing: [7] });
  });

  it("refuse what is not known", () => {
    // @ts-expect-error a mistyped field
    const config: ConstructorParameters<typeof MessageReducer>[0] = { maxMesages: 3 };
    expectTypeOf(config).not.toBeNever();
    expectTypeOf(new MessageReducer<Message>({ tokenCounter: (message) => message.content.length })).toExtend<
      MessageReducer<Message>
    >();
    const state = new MessageReducer<Message>().asLangGraphReducer();
    expectTypeOf(state([], { role: "user", content: "x" })).toEqualTypeOf<Message[]>();
  });
});
