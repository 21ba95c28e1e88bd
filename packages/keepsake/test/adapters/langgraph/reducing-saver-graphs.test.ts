import { MemorySaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describeSaver } from "./saver-suite.ts";

describeSaver({ name: "MemorySaver", create: () => new MemorySaver() });
describeSaver({ name: "SqliteSaver", create: () => SqliteSaver.fromConnString(":memory:") });
