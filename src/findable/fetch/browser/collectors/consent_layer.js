// Place of the first of the layers of which anything is shown; -1 for none.
(elements, layers) => {
  const { find, isShown } = elements;
  const isAnyShown = (element, depth) => {
    if (isShown(element) && element.getBoundingClientRect().height > 10 && !element.childElementCount && !element.shadowRoot) return true;
    return depth > 0 && [...element.children, ...(element.shadowRoot?.children || [])].some((child) => isAnyShown(child, depth - 1));
  };
  return layers.findIndex((layer) => find(layer).some((one) => isAnyShown(one, 12)));
}
