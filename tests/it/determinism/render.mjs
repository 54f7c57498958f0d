// Renders requests on one instance: node render.mjs COMPONENT <REQUESTS
// Each request is its budget and its length in four bytes each, little-endian, and its bytes. Each answer is what `render` returned,
// in eight bytes, and the output if there is one.
import { readFileSync, writeSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { memory, input_ptr, render, uniform_set_instruction_budget } = instance.exports;
const requests = readFileSync(0);
const answers = [];

for (let at = 0; at < requests.length; ) {
  uniform_set_instruction_budget(requests.readUInt32LE(at));
  const size = requests.readUInt32LE(at + 4);
  new Uint8Array(memory.buffer).set(requests.subarray(at + 8, at + 8 + size), input_ptr());
  at += 8 + size;
  const result = render(size);
  const answer = Buffer.alloc(8);
  answer.writeBigInt64LE(result);
  answers.push(answer);
  if (result >= 0n) {
    answers.push(Buffer.from(memory.buffer.slice(Number(result >> 32n), Number(result >> 32n) + Number(result & 0xffffffffn))));
  }
}
const all = Buffer.concat(answers);
for (let at = 0; at < all.length; ) at += writeSync(1, all, at);
