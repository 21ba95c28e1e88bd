import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { describe, expect, it } from "vitest";
import { createManageMemoryTool, createSearchMemoryTool } from "../../../src/adapters/langgraph/index.ts";
import { databaseUrl, withoutServer } from "../../stores/postgres-pools.ts";
import { idIn, keepingLogger } from "../../tools/harness.ts";

const namespace = ["project_memories", "{userId}"];
// Ids of users that are beginnings of each other, and those that the store refuses in labels.
const userIds = ["u1", "u10", "user_42", "userx42", "100%", "asha@example.org", "a\\b", "user:42"];

describe.skipIf(databaseUrl === undefined)(`with LangGraph's store in Postgres${withoutServer}`, () => {
  it("each user finds, changes and deletes what is theirs, whatever their ids", async () => {
    const schema = `memory_tools_${Date.now()}`;
    const store = PostgresStore.fromConnString(databaseUrl ?? "", { schema });
    await store.setup();
    const manage = createManageMemoryTool({ namespace, store });
    const search = createSearchMemoryTool({ namespace, store, logger: keepingLogger() });
    const run = (userId: string) => ({ configurable: { userId } });
    const ids = new Map<string, string>();
    try {
      for (const userId of userIds) {
        ids.set(
          userId,
          idIn(await manage.invoke({ content: `I live in Lisbon, says ${userId}` }, run(userId))),
        );
      }
      for (const userId of userIds) {
        const id = ids.get(userId);
        for (const query of ["Lisbon", ""]) {
          const found = JSON.parse(await search.invoke({ query }, run(userId)));
          expect(found).toMatchObject([{ namespace: ["project_memories", userId], key: id }]);
        }
        const foreign = ids.get(userIds.find((other) => other !== userId) ?? "");
        const refused = await manage.invoke({ action: "delete", id: foreign }, run(userId));
        expect(refused).toContain(`The ids that exist are: ${id}.`);
      }
      for (const userId of userIds) {
        const prefix = ids.get(userId)?.slice(0, 9);
        expect(await manage.invoke({ action: "delete", id: prefix }, run(userId))).toMatch(
          /^Deleted memory /,
        );
        expect(await search.invoke({ query: "" }, run(userId))).toBe("[]");
      }
    } finally {
      await store.stop();
    }
  });
});
