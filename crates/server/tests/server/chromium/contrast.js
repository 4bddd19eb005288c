// Texts whose colour is too close to what is behind them, by the formula of WCAG 2.
(() => {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
  };
  const over = (front, back) => front.rgb.map((part, index) => part * front.alpha + back[index] * (1 - front.alpha));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [20, 23, 26] : [255, 255, 255];
    return layers.reverse().reduce((back, layer) => over(layer, back), canvas);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility() || element.closest("svg, script, style")) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const [a, b] = [light(over(parse(style.color), back)), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < needed) faint.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 40)}`);
  }
  return faint;
})();
