// Milliseconds since more than MANY elements changed at once; the first call starts the observer.
(many) => {
  if (!Object.hasOwn(globalThis, "__findableChanged")) { // a global of the page may be an element with that id
    globalThis.__findableChanged = { at: performance.now() };
    new MutationObserver((records) => {
      let count = 0;
      for (const record of records) count += record.addedNodes.length + record.removedNodes.length;
      if (count > many) globalThis.__findableChanged.at = performance.now();
    }).observe(document, { childList: true, subtree: true });
    return 0;
  }
  return performance.now() - globalThis.__findableChanged.at;
}
