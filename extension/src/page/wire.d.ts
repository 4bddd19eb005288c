/** What the script in a page reports, one JSON text each. `crates/stage/src/record/report.rs` reads it. */

type Deed =
  | { do: "click"; double?: boolean }
  | { do: "type"; text: { text: string } | { secret: string } }
  | { do: "select"; options: string[] }
  | { do: "press"; key: string }
  | { do: "scroll"; x: number; y: number }
  | { do: "upload"; files: string[] }
  | { do: "drag"; to: Portrait }
  | { do: "back" }
  | { do: "forward" }
  | { do: "open-tab"; url: string }
  | { do: "dialog"; kind: string; message: string; accepted: boolean; text?: { text: string } | { secret: string } };

type ControlKind =
  | "checkbox"
  | "radio"
  | "select"
  | "text"
  | "aria-checked"
  | "aria-pressed"
  | "aria-selected";

type ControlState = "on" | "off" | "mixed" | { chosen: string[] } | { text: string };

interface Portrait {
  tag: string;
  role?: string;
  input_type?: string;
  name?: string;
  locators: {
    id?: string;
    field_name?: string;
    test_ids?: [string, string][];
    href?: string;
    css?: string;
    xpath?: string;
  };
  words?: Partial<Record<WordsKey, string>>;
  position: {
    index?: number;
    among_equals?: [number, number];
    among_siblings?: [number, number];
    rect?: [number, number, number, number];
    shadow_hosts?: string[];
  };
  control?: ControlKind;
}

type WordsKey =
  | "aria_label"
  | "label"
  | "placeholder"
  | "title"
  | "alt"
  | "text"
  | "previous"
  | "next"
  | "parent"
  | "heading";

/** A frame as the document that holds it sees it. `place` is where `window.frames` has it, -1 if it is in a shadow tree. */
interface FrameSeen {
  place: number;
  url: string;
  id?: string;
  name?: string;
  title?: string;
  index: number;
}

type PageReport =
  /** A document began. `how` is the browser's word for the way it came: navigate, reload or back_forward. */
  | { kind: "document"; at: number; url: string; how: string; viewport: [number, number] }
  /** It has loaded. */
  | { kind: "loaded" }
  /** The frames in it. */
  | { kind: "frames"; frames: FrameSeen[] }
  /** The page itself goes elsewhere: what comes next is not the person's doing. */
  | { kind: "leaving"; at: number }
  /** Something was done; sent again with the same id when more of it is known. */
  | {
      kind: "deed";
      id: number;
      at: number;
      url: string;
      deed: Deed;
      interactive: boolean;
      element?: Portrait;
      before?: ControlState;
      marks?: string[];
    }
  /** The page came to rest after it; `effect` says whether anything in it changed. */
  | { kind: "settled"; id: number; effect: boolean; after?: ControlState; marks?: string[] }
  /** What was typed into a secret field, so that it can be kept out of everything else. Never stored. */
  | { kind: "secret"; id: number; value: string };

/** What goes with every report: which document it is from, and the places of its frame from the page down. */
type Envelope = PageReport & { document: string; path: number[] };
