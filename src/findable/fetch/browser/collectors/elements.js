// Functions shared by the collectors.
(() => {
  // Position of an element among its siblings of the same name, and whether it is the only one; counted once per parent.
  const places = new WeakMap();
  const placeOf = (element) => {
    const parent = element.parentElement;
    if (!parent) return { place: 1, isOnly: true };
    if (!places.has(parent)) {
      const counts = new Map(), of = new Map();
      for (const child of parent.children) {
        const place = (counts.get(child.localName) || 0) + 1;
        counts.set(child.localName, place);
        of.set(child, place);
      }
      places.set(parent, { counts, of });
    }
    const { counts, of } = places.get(parent);
    return { place: of.get(element), isOnly: counts.get(element.localName) === 1 };
  };
  return {
  // Elements of a selector in which >>> leads into an open shadow root.
  find(selector) {
    let roots = [document];
    for (const part of selector.split(" >>> ")) {
      const found = roots.flatMap((root) => [...(root.shadowRoot || root).querySelectorAll(part)]);
      roots = found.slice(0, 50);
    }
    return roots;
  },
  // A short selector of an element: up to the nearest id, at most five levels.
  selectorOf(element) {
    const parts = [];
    for (let one = element; one && one.nodeType === 1 && parts.length < 5; one = one.parentElement) {
      const name = one.localName;
      if (one.id && one.id.length < 60) {
        parts.unshift(`${name}#${CSS.escape(one.id)}`);
        break;
      }
      const { place, isOnly } = placeOf(one);
      parts.unshift(isOnly ? name : `${name}:nth-of-type(${place})`);
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
  };
})()
