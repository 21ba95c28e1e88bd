// What an app on Node compiles: every sub-path, each type of theirs looked at by the compiler (skipLibCheck is off).
import * as root from "keepsake";
import * as memory from "keepsake/memory";
import * as sqlite from "keepsake/sqlite";
import * as store from "keepsake/store";
import * as testing from "keepsake/testing";
import * as tools from "keepsake/tools";

export const everything = { root, memory, sqlite, store, testing, tools };
