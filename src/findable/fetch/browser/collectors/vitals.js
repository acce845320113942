// Timings of the load. Called before the page's own scripts, it begins to observe; called later, it returns what was observed.
(elements, maxCount) => {
  const { selectorOf } = elements;
  if (!globalThis.__findableVitals) {
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
    // Nobody touches the page: what the browser takes for recent input is the size of the emulated screen.
    observe("layout-shift", (entry) => {
      if (seen.shifts.length >= maxCount) return;
      const moved = entry.sources.map((source) => source.node).filter((node) => node && node.nodeType === 1);
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
    idle_ms: performance.now() - seen.taskEnd,
  };
}
