import { describeKills } from "./outbox-kill-suite.ts";

describeKills(3);
