// Timings of the page load. The first call, before the page's scripts, starts the observers; later calls return their values.
(elements, maxCount) => {
  const { selectorOf } = elements;
  if (!Object.hasOwn(globalThis, "__findableVitals")) { // a global of the page may be an element with that id
    const seen = (globalThis.__findableVitals = { firstPaint: null, largest: null, shifts: [], tasks: [], taskEnd: 0, pending: [] });
    const observe = (type, take) => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
      observer.observe({ type, buffered: true });
      seen.pending.push(() => observer.takeRecords().forEach(take));
    };
    observe("paint", (entry) => {
      if (entry.name === "first-contentful-paint") seen.firstPaint = entry.startTime;
    });
    observe("largest-contentful-paint", (entry) => {
      seen.largest = {
        at_ms: entry.startTime,
        selector: entry.element ? selectorOf(entry.element) : "",
        url: (entry.url || "").slice(0, 2048).toWellFormed(),
      };
    });
    // The page gets no input: the browser reports the emulated screen size as recent input, so hadRecentInput is ignored.
    observe("layout-shift", (entry) => {
      if (seen.shifts.length >= maxCount) return;
      const moved = entry.sources.map((source) => source.node).filter((node) => node instanceof Element);
      seen.shifts.push({ at_ms: entry.startTime, value: entry.value, selectors: moved.map(selectorOf) });
    });
    observe("longtask", (entry) => {
      seen.taskEnd = Math.max(seen.taskEnd, entry.startTime + entry.duration);
      if (seen.tasks.length < maxCount) seen.tasks.push({ start_ms: entry.startTime, duration_ms: entry.duration });
    });
  }
  const seen = globalThis.__findableVitals;
  seen.pending.forEach((flush) => flush());
  return {
    first_paint_ms: seen.firstPaint,
    largest_paint: seen.largest,
    shifts: seen.shifts,
    long_tasks: seen.tasks,
    now_ms: performance.now(),
    origin_ms: performance.timeOrigin,
    idle_ms: performance.now() - seen.taskEnd,
  };
}
