"use strict";
(() => {
    const { apply } = Reflect;
    const { dispatchEvent, addEventListener, removeEventListener } = EventTarget.prototype;
    const { appendChild } = Node.prototype;
    const { remove } = Element.prototype;
    const { stringify } = JSON;
    const { slice } = String.prototype;
    const toText = String;
    const MouseEventHere = MouseEvent;
    const CustomEventHere = CustomEvent;
    const marker = document.createElement("i");
    const relatedTarget = Object.getOwnPropertyDescriptor(MouseEvent.prototype, "relatedTarget")?.get;
    const MEETING = "umpire-recorder-meets";
    let shared = document.createElement("i");
    let met = false;
    addEventListener.call(shared, "met", () => (met = true), { once: true });
    dispatchEvent.call(window, new MouseEventHere(MEETING, { relatedTarget: shared }));
    if (!met) {
        const meet = (event) => {
            const other = relatedTarget && apply(relatedTarget, event, []);
            if (!(other instanceof Element))
                return;
            apply(removeEventListener, window, [MEETING, meet, true]);
            shared = other;
            apply(dispatchEvent, shared, [new Event("met")]);
        };
        addEventListener.call(window, MEETING, meet, true);
    }
    const tell = (event) => {
        apply(dispatchEvent, shared, [event]);
    };
    const tellRoot = (root) => {
        tell(new MouseEventHere("marker", { relatedTarget: marker }));
        apply(appendChild, root, [marker]);
        tell(new MouseEventHere("rooted"));
        apply(remove, marker, []);
    };
    const wrap = (owner, name, call) => {
        const native = Reflect.get(owner, name);
        if (typeof native !== "function")
            return;
        const wrapped = new Proxy(native, { apply: (target, self, args) => call(target, self, args) });
        const before = Object.getOwnPropertyDescriptor(owner, name);
        Object.defineProperty(owner, name, { configurable: true, writable: true, enumerable: before?.enumerable ?? true, value: wrapped });
    };
    wrap(Element.prototype, "attachShadow", (native, self, args) => {
        const root = apply(native, self, args);
        if (root instanceof ShadowRoot)
            tellRoot(root);
        return root;
    });
    for (const kind of ["alert", "confirm", "prompt"]) {
        wrap(window, kind, (native, self, args) => {
            const answer = apply(native, self, args);
            const accepted = kind === "alert" || (answer !== false && answer !== null);
            const text = typeof answer === "string" ? apply(slice, answer, [0, 1000]) : undefined;
            let message = "";
            try {
                message = apply(slice, toText(args[0] ?? ""), [0, 1000]);
            }
            catch {
            }
            tell(new CustomEventHere("dialog", { detail: stringify({ __proto__: null, kind, message, accepted, text }) }));
            return answer;
        });
    }
})();
