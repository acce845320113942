// Rounds per millisecond of a fixed loop, to measure the current speed of the processor.
(duration) => {
  const begun = performance.now();
  let rounds = 0;
  for (let value = 1; performance.now() - begun < duration; rounds++)
    for (let step = 0; step < 1000; step++) value = (value * 1103515245 + 12345) % 2147483648;
  return rounds / (performance.now() - begun);
}
