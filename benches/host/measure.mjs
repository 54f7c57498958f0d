// Times renders in V8: node measure.mjs ROUNDS (MODULE FULL_REQUEST EMPTY_REQUEST ANSWER)...
// Prints one line for each module, in milliseconds: by the clock on the wall the first call, ROUNDS first ones of fresh instances
// when the code is warmed, and ROUNDS warmed ones, then of processor time ROUNDS full requests, the same, and ROUNDS empty ones.
import { readFileSync, writeFileSync } from "node:fs";

// The optimising compiler works beside the first calls. Warming is calling, waiting for it, and once more for what the calls
// reach with the first code of it.
const WARM_PHASES = 2;
const WARM_CALLS = 3;
const WARM_MILLISECONDS = 400;

const instantiate = (file, module) => () => {
  const { exports } = new WebAssembly.Instance(module);
  let result;
  const time = (request) => {
    // The budget goes back to its default with every render.
    exports.uniform_set_instruction_budget?.(-1);
    new Uint8Array(exports.memory.buffer).set(request, exports.input_ptr());
    const start = { wall: wallTime(), processor: processorTime() };
    result = exports.render(request.length);
    const taken = { wall: wallTime() - start.wall, processor: processorTime() - start.processor };
    if (result < 0n) throw new Error(`${file} rejects with 0x${(result & 0xffffffffn).toString(16)}`);
    return taken;
  };
  const output = () => new Uint8Array(exports.memory.buffer, Number(result >> 32n), Number(result & 0xffffffffn));
  return { time, output };
};

const [rounds, ...files] = process.argv.slice(2);
const lanes = [];
for (let at = 0; at < files.length; at += 4) {
  const [module, full, empty, answer] = files.slice(at, at + 4);
  const fresh = instantiate(module, new WebAssembly.Module(readFileSync(module)));
  const requests = { full: readFileSync(full), empty: readFileSync(empty) };
  lanes.push({ ...fresh(), fresh, ...requests, answer, freshes: [], warmed: [], fulls: [], empties: [] });
}

const wallTime = () => performance.now();

// The process's. Once warmed, it does nothing beside the call; wall time would count what else the machine does.
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

async function backgroundRests() {
  for (let before = -Infinity; processorTime() - before > 5; ) {
    before = processorTime();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const lane of lanes) {
  lane.first = lane.time(lane.full).wall;
  writeFileSync(lane.answer, lane.output());
  // Without rounds, the first call is all that is asked for.
  for (let phase = 0; phase < WARM_PHASES && rounds > 0; phase++) {
    const start = wallTime();
    for (let call = 0; call < WARM_CALLS || wallTime() - start < WARM_MILLISECONDS; call++) {
      lane.time(lane.empty);
      lane.time(lane.full);
    }
    await backgroundRests();
  }
}
for (let round = 0; round < Number(rounds); round++) {
  for (const lane of lanes) {
    // The lane before has filled the caches, and the first render takes longer for that.
    lane.time(lane.empty);
    lane.empties.push(lane.time(lane.empty).processor);
    const { wall, processor } = lane.time(lane.full);
    lane.warmed.push(wall);
    lane.fulls.push(processor);
  }
}
// Last, for what these leave behind is collected at some time.
for (let round = 0; round < Number(rounds); round++) {
  for (const lane of lanes) lane.freshes.push(lane.fresh().time(lane.full).wall);
}
for (const { first, freshes, warmed, fulls, empties } of lanes) {
  console.log([first, ...freshes, ...warmed, ...fulls, ...empties].join(" "));
}
