// Resolves once two frames were drawn: observers of what is in view have been told of a new size by then.
() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))
