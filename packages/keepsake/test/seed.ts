import fc from "fast-check";

// The same histories each time: what fails was broken by the change. `KEEPSAKE_SEED=random` meets others, to hunt.
const seed = process.env.KEEPSAKE_SEED ?? "20261130";
if (seed !== "random") fc.configureGlobal({ seed: Number(seed) });
