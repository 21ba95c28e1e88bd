import { homedir, tmpdir } from "node:os";
import type { CheckResult } from "./lib/check.ts";
import { read, trackedFiles } from "./lib/files.ts";

const longFile = 500;
const longestFile = 800;
const excuse = "Long on purpose:";

/** What belongs in no file that git tracks: addresses of this machine or of a registry; source files too long to read. */
export function checkHygiene(root: string): CheckResult {
  const files = trackedFiles(root);
  const patterns = placesOf(root);
  const problems = files.flatMap((path) => {
    const text = read(root, path);
    return text.includes("\0") ? [] : [...placeProblems(path, text, patterns), ...lengthProblems(path, text)];
  });
  return { problems, note: `${files.length} files` };
}

interface Place {
  readonly name: string;
  readonly pattern: RegExp;
}

function placesOf(root: string): Place[] {
  const here = [root, homedir()].filter((folder) => folder !== tmpdir() && folder !== "/");
  return [
    ...here.map((folder) => ({
      name: "a folder of this machine",
      pattern: new RegExp(`${escaped(folder)}/`),
    })),
    {
      name: "a folder of some machine",
      pattern: /(?<![\w.-])\/(?:home|Users|builds|work|workspace)\/[\w.-]+\//,
    },
    { name: "the address of a package registry", pattern: /registry\.(?:npmjs|yarnpkg|npmmirror)\./ },
    { name: "a download address", pattern: /"resolved": "https?:/ },
  ];
}

function placeProblems(path: string, text: string, places: readonly Place[]): string[] {
  return text.split("\n").flatMap((line, index) => {
    const place = places.find(({ pattern }) => pattern.test(line));
    return place === undefined ? [] : [`${path}:${index + 1} holds ${place.name}`];
  });
}

function lengthProblems(path: string, text: string): string[] {
  if (!/\.(ts|mjs)$/.test(path)) return [];
  const lines = text.split("\n").length - 1;
  if (lines > longestFile) return [`${path} has ${lines} lines; ${longestFile} are the most`];
  if (lines <= longFile || text.includes(excuse)) return [];
  return [`${path} has ${lines} lines: split it, or say "${excuse} …" in a comment`];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
