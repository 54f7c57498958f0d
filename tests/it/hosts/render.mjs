// Renders requests on one instance: node render.mjs COMPONENT <REQUESTS
// Each request is its length in four bytes, little-endian, and its bytes.
import { readFileSync, writeFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { memory, input_ptr, render } = instance.exports;
const requests = readFileSync(0);
const answers = [];

for (let at = 0; at < requests.length; ) {
  const size = requests.readUInt32LE(at);
  new Uint8Array(memory.buffer).set(requests.subarray(at + 4, at + 4 + size), input_ptr());
  at += 4 + size;
  const result = BigInt.asUintN(64, render(size));
  const low = Number(result & 0xffffffffn);
  const pointer = Number((result >> 32n) & 0x7fffffffn);
  const rejected = result >> 63n;
  const answer = rejected ? `rejected ${low}\n` : Buffer.from(memory.buffer, pointer, low);
  answers.push(Buffer.from(answer));
}
writeFileSync(1, Buffer.concat(answers));
