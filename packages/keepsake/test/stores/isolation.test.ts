import { testIsolation } from "./isolation-suite.ts";

testIsolation({ namespaces: 300, searches: 600 });
