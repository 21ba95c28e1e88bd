import { testKilling } from "./kill-suite.ts";

testKilling(100, 80);
