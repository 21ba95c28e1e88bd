import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pinFile } from "./check-surface.ts";
import { repositoryRoot } from "./lib/files.ts";
import { surfaceOf } from "./lib/surface.ts";

writeFileSync(join(repositoryRoot, pinFile), `${surfaceOf(repositoryRoot).join("\n")}\n`);
console.log(`wrote ${pinFile}: read the difference before committing it`);
