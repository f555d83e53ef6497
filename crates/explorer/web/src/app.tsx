// The frame: what is open, the five views, and the properties beside them.
import type { ComponentType } from "preact";
import { show } from "./state/route";
import { change, useStore, type View } from "./state/store";
import { shortName } from "./ui/files";
import { Help } from "./ui/help";
import { lazily } from "./ui/lazily";
import { Notice } from "./ui/notice";
import { Tabs } from "./ui/tabs";
import { toggleTheme } from "./ui/theme";
import { useTheme } from "./ui/use-theme";
import { Empty, Waiting } from "./ui/words";
import { ChecksView } from "./views/checks";
import { Properties } from "./views/properties";

const VIEW_TABS: { key: View; label: string; title: string }[] = [
  { key: "model", label: "Model", title: "Read and edit the model (1)" },
  { key: "checks", label: "Checks", title: "Methods, progress and figures (2)" },
  { key: "evidence", label: "Evidence", title: "Why a property has its verdict (3)" },
  { key: "walk", label: "Walk", title: "Step through the model (5)" },
  { key: "diagnosis", label: "Diagnosis", title: "Games, cause of the unknown, refinement (4)" },
];

function Brand() {
  return (
    <svg class="brand" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" class="brand-ground" />
      <path class="brand-line" d="M13 21h6M11 17l3-5M21 17l-3-5" />
      <circle cx="9" cy="21" r="4" class="brand-dot" />
      <circle cx="23" cy="21" r="4" class="brand-dot" />
      <circle cx="16" cy="9" r="4" class="brand-open" />
    </svg>
  );
}

function Header() {
  const view = useStore((state) => state.view);
  const files = useStore((state) => state.session?.files);
  const theme = useTheme();
  const others = (files?.length ?? 0) - 1;
  return (
    <header class="top">
      <div class="title">
        <Brand />
        <h1>Tertium</h1>
        {files && <span class="what" title={files.map((file) => file.name).join("\n")}>{shortName(files[0]?.name ?? "")}{others > 0 && ` and ${others} more`}</span>}
      </div>
      <nav id="views" aria-label="Views">
        <Tabs label="Views" tabs={VIEW_TABS} chosen={view} choose={show} class="main-tabs" />
      </nav>
      <div class="top-tools">
        <button type="button" class="icon" onClick={toggleTheme} aria-label={theme === "dark" ? "Use light colours" : "Use dark colours"} title="Dark or light (t)">
          {theme === "dark" ? "☀" : "☾"}
        </button>
        <button type="button" class="icon" onClick={() => change({ helpOpen: true })} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">?</button>
      </div>
    </header>
  );
}

const BODIES: Record<View, ComponentType> = {
  model: lazily(async () => (await import("./views/model")).ModelView),
  checks: ChecksView,
  evidence: lazily(async () => (await import("./views/evidence")).EvidenceView),
  walk: lazily(async () => (await import("./views/walk")).WalkView),
  diagnosis: lazily(async () => (await import("./views/diagnosis")).DiagnosisView),
};

function Main() {
  const view = useStore((state) => state.view);
  const gone = useStore((state) => state.gone);
  const session = useStore((state) => state.session);
  if (session === undefined && gone !== undefined) return <main class="alone"><Empty title={gone.message}>{gone.help && <p>{gone.help}</p>}</Empty></main>;
  if (session === undefined) return <main class="alone"><Waiting>opening</Waiting></main>;
  const Body = BODIES[view];
  return (
    <>
      {gone && <p class="gone" role="alert"><strong>{gone.message}</strong> {gone.help} Your text is still here: save a copy of it.</p>}
      <div class="body" data-view={view}>
        <Properties />
        <main id="main"><Body /></main>
      </div>
    </>
  );
}

export function App() {
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>To the content</a>
      <Header />
      <Main />
      <Help />
      <Notice />
    </>
  );
}

function skip(event: Event) {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.querySelector<HTMLElement>("button, [tabindex='0'], input, select")?.focus();
}
