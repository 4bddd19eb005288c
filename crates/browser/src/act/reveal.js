(wanted) => {
    const tidy = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();
    const sought = tidy(wanted);
    const holder = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (node.nodeType === Node.ELEMENT_NODE) {
                const inside = node.shadowRoot && holder(node.shadowRoot);
                if (inside) return inside;
            } else if (sought && tidy(node.data).includes(sought)) {
                const element = node.parentElement;
                if (element?.checkVisibility?.({ checkVisibilityCSS: true })) return element;
            }
        }
        return null;
    };
    const element = document.body && holder(document.body);
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    return !!element;
}
