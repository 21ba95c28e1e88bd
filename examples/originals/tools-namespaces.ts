// LangMem's namespaces: one per user, or one that a team shares. The run says which; the model cannot.
import assert from "node:assert/strict";
// #region namespaces
import { createManageMemoryTool, createSearchMemoryTool } from "keepsake/langgraph";
import { InMemoryStore } from "keepsake/store";

const store = new InMemoryStore();
const namespace = ["memories", "{langgraph_user_id}"];
const manage = createManageMemoryTool({ namespace, store });
const search = createSearchMemoryTool({ namespace, store });

const user = { configurable: { langgraph_user_id: "user-123" } };
await manage.invoke({ content: "Prefers short answers." }, user); // in ["memories", "user-123"]

const team = { configurable: { langgraph_user_id: "team-x" } };
await manage.invoke({ content: "Ships on Thursdays." }, team); // in ["memories", "team-x"]
// #endregion

assert.equal(
  (await store.get(["memories", "user-123"], await onlyKey("user-123")))?.value.content,
  "Prefers short answers.",
);
assert.equal(
  (await store.get(["memories", "team-x"], await onlyKey("team-x")))?.value.content,
  "Ships on Thursdays.",
);
assert.ok(!(await search.invoke({ query: "Thursdays" }, user)).includes("Thursdays"));

// Written deep, read from above: each agent of a team has its own part, and the team's search sees all.
// #region nested
const noteOfAgent = createManageMemoryTool({ namespace: "/teams/{team}/{agent}", store });
await noteOfAgent.invoke(
  { content: "The API is slow on Mondays." },
  { configurable: { team: "x", agent: "triage" } },
);

const searchTeam = createSearchMemoryTool({ namespace: "/teams/{team}", store });
const found = await searchTeam.invoke({ query: "slow API" }, { configurable: { team: "x" } });
// #endregion
assert.deepEqual(
  JSON.parse(found).map(({ namespace }: Record<string, unknown>) => namespace),
  [["teams", "x", "triage"]],
);

// Without a value there is no namespace, and never one for everybody.
const errors: string[] = [];
const logger = { warn: () => {}, error: (message: string) => void errors.push(message) };
const careless = createSearchMemoryTool({ namespace, store, logger });
await assert.rejects(careless.invoke({ query: "Thursdays" }), { code: "missing_namespace_value" });
assert.match(errors.join(), /\{langgraph_user_id\}: it is missing/);

async function onlyKey(userId: string): Promise<string> {
  const [item, ...others] = await store.search(["memories", userId]);
  assert.equal(others.length, 0);
  return item?.key ?? "";
}
