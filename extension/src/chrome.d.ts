/** The part of the extension interface that is used here. */
declare namespace chrome {
  interface Listenable<L> {
    addListener(listener: L): void;
  }

  namespace runtime {
    interface MessageSender {
      tab?: tabs.Tab;
      url?: string;
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
    }
    const onCreated: Listenable<(tab: Tab) => void>;
    const onRemoved: Listenable<(id: number) => void>;
    function query(filter: { active: boolean; lastFocusedWindow: boolean }): Promise<Tab[]>;
    function get(id: number): Promise<Tab>;
    function captureVisibleTab(window: number, options: { format: "jpeg"; quality: number }): Promise<string>;
  }

  namespace action {
    function setBadgeText(details: { text: string }): Promise<void>;
    function setBadgeBackgroundColor(details: { color: string }): Promise<void>;
  }

  /** Only in content scripts. */
  const dom: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null } | undefined;
}
