/** The part of the extension interface that is used here. */
declare namespace chrome {
  interface Listenable<L> {
    addListener(listener: L): void;
  }

  namespace runtime {
    interface MessageSender {
      tab?: tabs.Tab;
    }
    const onMessage: Listenable<(message: unknown, sender: MessageSender, answer: (value: unknown) => void) => boolean | void>;
    const onStartup: Listenable<() => void>;
    function sendMessage(message: unknown): Promise<unknown>;
    function getManifest(): { version: string };
  }

  namespace storage {
    interface Area {
      get(keys: string | string[] | null): Promise<Record<string, unknown>>;
      set(values: Record<string, unknown>): Promise<void>;
      remove(keys: string | string[]): Promise<void>;
    }
    const local: Area;
    const session: Area;
    const onChanged: Listenable<(changes: Record<string, { newValue?: unknown }>, area: string) => void>;
  }

  namespace tabs {
    interface Tab {
      id?: number;
      windowId: number;
      active: boolean;
      openerTabId?: number;
      url?: string;
      pendingUrl?: string;
      width?: number;
      height?: number;
    }
    const onCreated: Listenable<(tab: Tab) => void>;
    const onRemoved: Listenable<(id: number) => void>;
    function query(filter: { active?: boolean; currentWindow?: boolean; lastFocusedWindow?: boolean }): Promise<Tab[]>;
    function get(id: number): Promise<Tab>;
    function captureVisibleTab(window: number, options: { format: "jpeg"; quality: number }): Promise<string>;
  }

  namespace scripting {
    interface Injection {
      target: { tabId: number; allFrames?: boolean };
      files: string[];
      world?: "MAIN" | "ISOLATED";
      injectImmediately?: boolean;
    }
    function executeScript(injection: Injection): Promise<unknown>;
  }

  namespace downloads {
    function download(options: { url: string; filename: string; saveAs?: boolean }): Promise<number>;
  }

  namespace action {
    function setBadgeText(details: { text: string }): Promise<void>;
    function setBadgeBackgroundColor(details: { color: string }): Promise<void>;
  }

  /** Only in content scripts. */
  const dom: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null } | undefined;
}
