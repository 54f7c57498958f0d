// Prints the counters of a module at first and after each of the calls: node read.mjs FILE FUNCTION...
import { readFileSync } from "node:fs";

const [file, ...calls] = process.argv.slice(2);
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {});
const read = () => ["live", "peak", "allocations", "frees", "version"].map((name) => exports[`peakmark_probe_${name}`]());
console.log(read().join(" "));
for (const call of calls) {
  exports[call]();
  console.log(read().join(" "));
}
