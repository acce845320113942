// Place of the first of the layers of which anything is shown; -1 for none.
(elements, layers) => {
  const { find, isShown, childrenOf, shadowOf, rectOf } = elements;
  const isAnyShown = (element, depth) => {
    const inner = [...childrenOf(element), ...(shadowOf(element)?.children || [])];
    if (isShown(element) && rectOf(element).height > 10 && !inner.length && !shadowOf(element)) return true;
    return depth > 0 && inner.some((child) => isAnyShown(child, depth - 1));
  };
  return layers.findIndex((layer) => find(layer).some((one) => isAnyShown(one, 12)));
}
