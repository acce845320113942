// Boxes of tap targets, fixed layers and texts in the current layout, without scrolling.
(elements, maxCount) => {
  const { selectorOf, pathOf, boxOf, isShown, parentOf, childrenOf, nodesOf, nameOf, rectOf, closest, contains, matches } = elements;
  const TARGETS =
    "a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option]";
  const ownText = (element) => [...nodesOf(element)].some((node) => node.nodeType === 3 && node.data.trim());
  // Whether the element is inline in a text that is not part of a target.
  const isInText = (element) => {
    if (!getComputedStyle(element).display.startsWith("inline") || /^(button|input|select|textarea)$/.test(nameOf(element))) return false;
    let block = parentOf(element);
    while (block && getComputedStyle(block).display.startsWith("inline")) block = parentOf(block);
    if (!block) return false;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let count = 0; walker.nextNode() && count < 200; count++) {
      const node = walker.currentNode;
      if (/[\p{L}\p{N}]{2}/u.test(node.data) && !closest(parentOf(node), TARGETS)) return true;
    }
    return false;
  };
  const targets = [];
  for (const element of document.querySelectorAll(TARGETS)) {
    if (targets.length >= maxCount) break;
    const parent = parentOf(element);
    if ((parent && closest(parent, TARGETS)) || element.disabled || !isShown(element)) continue;
    if (getComputedStyle(element).pointerEvents === "none") continue;
    let rect = rectOf(element);
    const label = element.labels?.[0];
    if (label && isShown(label)) {
      // A tap on the label activates its control.
      const other = label.getBoundingClientRect();
      const left = Math.min(rect.left, other.left), top = Math.min(rect.top, other.top);
      rect = new DOMRect(left, top, Math.max(rect.right, other.right) - left, Math.max(rect.bottom, other.bottom) - top);
    }
    if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0) continue; // moved out of the page, as skip links are
    targets.push({ selector: selectorOf(element), box: boxOf(rect), in_text: isInText(element) });
  }

  const REPLACED = "img,video,iframe,canvas,svg,object,embed,input,button,select,textarea";
  const isPainted = (element) => {
    if (matches(element, REPLACED) || ownText(element)) return true;
    const style = getComputedStyle(element);
    const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(style.backgroundColor);
    return style.backgroundImage !== "none" || style.backdropFilter !== "none" || (alpha ? Number(alpha[1]) > 0.05 : style.backgroundColor.startsWith("rgb("));
  };
  const painted = (element, depth) => {
    if (isPainted(element)) return [element];
    return depth > 8 ? [] : [...childrenOf(element)].flatMap((child) => painted(child, depth + 1));
  };
  // Whether a tap in the box reaches the layer, which proves that it covers the page.
  const isOnTop = (element, rect) => {
    const left = Math.max(0, rect.left), right = Math.min(innerWidth, rect.right), top = Math.max(0, rect.top), bottom = Math.min(innerHeight, rect.bottom);
    if (right <= left || bottom <= top) return false;
    for (const across of [0.1, 0.5, 0.9])
      for (const down of [0.1, 0.5, 0.9]) {
        const hit = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down);
        if (hit && contains(element, hit)) return true;
      }
    return false;
  };
  const layers = [];
  const all = document.body ? document.body.getElementsByTagName("*") : [];
  for (let index = 0; index < all.length && index < 50000 && layers.length < 100; index++) {
    const element = all[index];
    const style = getComputedStyle(element);
    if (style.position !== "fixed" || Number(style.zIndex) < 0 || !isShown(element)) continue; // below zero: a background
    for (const one of painted(element, 0)) {
      const rect = rectOf(one);
      if (isShown(one) && isOnTop(element, rect)) layers.push({ selector: selectorOf(one), box: boxOf(rect) });
    }
  }

  const runs = new Map();
  const walker = document.body ? document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT) : null;
  for (let count = 0; walker && walker.nextNode() && count < 100000; count++) {
    const parent = parentOf(walker.currentNode);
    const chars = walker.currentNode.data.replace(/\s+/g, " ").trim().length;
    if (!chars || !parent || /^(script|style|noscript|template|option)$/.test(nameOf(parent))) continue;
    const known = runs.get(parent);
    if (known) known.chars_count += chars;
    else if (isShown(parent)) runs.set(parent, { chars_count: chars });
  }
  const texts = [], rest = new Map();
  for (const [element, run] of runs) {
    const font = Math.round(parseFloat(getComputedStyle(element).fontSize) * 100) / 100;
    if (texts.length < maxCount) texts.push({ selector: selectorOf(element), font_px: font, chars_count: run.chars_count });
    else rest.set(font, (rest.get(font) || 0) + run.chars_count);
  }
  for (const [font, chars] of [...rest].slice(0, 100)) texts.push({ selector: "", font_px: font, chars_count: chars });

  // Elements in the first view, which a finding about them can be marked at.
  const first_view = [], { scale } = visualViewport;
  const scaled = (rect) => new DOMRect(rect.x * scale - scrollX, rect.y * scale - scrollY, rect.width * scale, rect.height * scale);
  for (let index = 0; index < all.length && index < 5000 && first_view.length < 400; index++) {
    const element = all[index], rect = rectOf(element);
    if (rect.top >= innerHeight || rect.bottom <= 0 || rect.left >= innerWidth || rect.right <= 0 || !isShown(element)) continue;
    if (rect.height > innerHeight * 0.8 && rect.width > innerWidth * 0.8) continue; // no place, but the whole view
    first_view.push({ selectors: [...new Set([pathOf(element), selectorOf(element)])], box: boxOf(scaled(rect)) });
  }
  return { targets, layers, texts, first_view };
}
