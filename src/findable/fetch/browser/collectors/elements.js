// Functions shared by the collectors.
(() => {
  // Fields named like a property hide that property of their form (<input name="children">). These functions read the property itself.
  const property = (owner, name) => {
    const { get } = Object.getOwnPropertyDescriptor(owner.prototype, name);
    return (one) => get.call(one);
  };
  const method = (owner, name) => {
    const called = owner.prototype[name];
    return (one, ...rest) => called.apply(one, rest);
  };
  const parentOf = property(Node, "parentElement"), childrenOf = property(Element, "children"), nameOf = property(Element, "localName");
  const idOf = property(Element, "id"), shadowOf = property(Element, "shadowRoot");
  const slotOf = property(Element, "assignedSlot"), outerNodeOf = property(Node, "parentNode");
  const rectOf = method(Element, "getBoundingClientRect"), isVisible = method(Element, "checkVisibility");
  // Position of an element among its siblings of the same name, and whether it is the only one; counted once per parent.
  const places = new WeakMap();
  const placeOf = (element) => {
    const parent = parentOf(element);
    if (!parent) return { place: 1, isOnly: true };
    if (!places.has(parent)) {
      const counts = new Map(), of = new Map();
      for (const child of childrenOf(parent)) {
        const place = (counts.get(nameOf(child)) || 0) + 1;
        counts.set(nameOf(child), place);
        of.set(child, place);
      }
      places.set(parent, { counts, of });
    }
    const { counts, of } = places.get(parent);
    return { place: of.get(element), isOnly: counts.get(nameOf(element)) === 1 };
  };
  return {
  parentOf,
  childrenOf,
  nameOf,
  shadowOf,
  // Parent, beyond shadow roots too.
  outerOf: (one) => (one instanceof Element && slotOf(one)) || outerNodeOf(one) || (one instanceof ShadowRoot ? one.host : null),
  rectOf,
  nodesOf: property(Node, "childNodes"),
  closest: method(Element, "closest"),
  contains: method(Node, "contains"),
  matches: method(Element, "matches"),
  // Elements of a selector in which >>> leads into an open shadow root.
  find(selector) {
    let roots = [document];
    for (const part of selector.split(" >>> ")) {
      const found = roots.flatMap((root) => [...((root instanceof Element && shadowOf(root)) || root).querySelectorAll(part)]);
      roots = found.slice(0, 50);
    }
    return roots;
  },
  // A short selector of an element: up to the nearest id, at most five levels.
  selectorOf(element) {
    const parts = [];
    for (let one = element; one instanceof Element && parts.length < 5; one = parentOf(one)) {
      const name = nameOf(one), id = idOf(one);
      if (id && id.length < 60) {
        parts.unshift(`${name}#${CSS.escape(id)}`);
        break;
      }
      const { place, isOnly } = placeOf(one);
      parts.unshift(isOnly ? name : `${name}:nth-of-type(${place})`);
      if (name === "body" || name === "html") break;
    }
    return parts.join(" > ").slice(0, 300).toWellFormed();
  },
  // The only path to an element as the parser of the service writes it: from the nearest id, or from the root.
  pathOf(element) {
    const parts = [];
    for (let one = element; one instanceof Element; one = parentOf(one)) {
      if (idOf(one)) {
        parts.unshift(`#${CSS.escape(idOf(one))}`);
        break;
      }
      const { place, isOnly } = placeOf(one);
      parts.unshift(isOnly ? nameOf(one) : `${nameOf(one)}:nth-of-type(${place})`);
    }
    return parts.join(" > ").slice(0, 300).toWellFormed();
  },
  boxOf(rect) {
    const round = (value) => Math.round(value * 10) / 10;
    return { left_px: round(rect.left + scrollX), top_px: round(rect.top + scrollY), width_px: round(rect.width), height_px: round(rect.height) };
  },
  isShown(element) {
    const rect = rectOf(element);
    return rect.width > 0 && rect.height > 0 && isVisible(element, { opacityProperty: true, visibilityProperty: true });
  },
  };
})()
