// Makes the user agent that scripts of one origin read the one that its server gets. Other origins get and read that of the browser.
(origin, agent) => {
  if (self.origin !== origin) return;
  const prototype = Object.getPrototypeOf(navigator);
  const read = (name, value) => Object.defineProperty(prototype, name, { get: () => value, configurable: true, enumerable: true });
  read("userAgent", agent);
  read("appVersion", agent.replace(/^Mozilla\//, ""));
}
