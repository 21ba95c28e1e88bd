import { testKilling } from "./kill-suite.ts";

testKilling(16, 10);
