import { MemorySaver } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describeValidation } from "./validation-suite.ts";

// Of a saver whose checkpoints hold all values whole, the suite skips a test by its name.
describeValidation({ name: "MemorySaver", create: (): BaseCheckpointSaver => new MemorySaver() });
describeValidation({
  name: "@langchain/langgraph-checkpoint-sqlite",
  create: () => SqliteSaver.fromConnString(":memory:"),
});
