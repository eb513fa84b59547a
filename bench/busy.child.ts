/** Takes so much of a processor, a millisecond at a time, and touches nothing else: neither disk nor network nor database. */
const share = Number(process.argv[2])
const nobody = new Int32Array(new SharedArrayBuffer(4))
const memory = new Float64Array(1 << 18) // as much as a cache of a processor holds, so that others find it cold
let at = 0
for (;;) {
  const until = performance.now() + 1
  while (performance.now() < until)
    for (let n = 0; n < 1_000; n += 1) {
      at = (at * 1_103_515_245 + 12_345) % memory.length
      memory[at] = (memory[at] ?? 0) + 1
    }
  Atomics.wait(nobody, 0, 0, 1 / share - 1)
}
