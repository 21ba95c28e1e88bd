import { testIsolation } from "./isolation-suite.ts";

testIsolation({ namespaces: 1000, searches: 100_000 });
