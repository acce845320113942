// Functions that other collectors use.
({
  // A short selector of an element: up to the nearest id, at most five levels.
  selectorOf(element) {
    const parts = [];
    for (let one = element; one && one.nodeType === 1 && parts.length < 5; one = one.parentElement) {
      const name = one.localName;
      if (one.id && one.id.length < 60) {
        parts.unshift(`${name}#${CSS.escape(one.id)}`);
        break;
      }
      const equals = one.parentElement ? [...one.parentElement.children].filter((other) => other.localName === name) : [];
      parts.unshift(equals.length > 1 ? `${name}:nth-of-type(${equals.indexOf(one) + 1})` : name);
      if (name === "body" || name === "html") break;
    }
    return parts.join(" > ").slice(0, 300).toWellFormed();
  },
  boxOf(rect) {
    const round = (value) => Math.round(value * 10) / 10;
    return { left_px: round(rect.left + scrollX), top_px: round(rect.top + scrollY), width_px: round(rect.width), height_px: round(rect.height) };
  },
  isShown(element) {
    const rect = element.getBoundingClientRect();
    return rect.width > 0 && rect.height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  },
})
