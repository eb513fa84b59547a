/** Phones: the chat takes the whole screen. */
export const PHONE_QUERY = '(max-width: 668px)'

export const launcherCss = `
:host { all: initial !important; position: static !important; display: block !important; }
:host([hidden]) { display: none !important; }
.launcher, .panel { position: fixed; z-index: 2147483000; box-sizing: border-box; }
.launcher {
  right: calc(20px + env(safe-area-inset-right)); bottom: calc(20px + env(safe-area-inset-bottom));
  min-width: 56px; height: 56px; padding: 0 14px; border: 0; border-radius: 28px; cursor: pointer;
  display: flex; gap: 8px; align-items: center; color: var(--on-accent); background: var(--accent);
  box-shadow: 0 6px 20px rgb(15 23 42 / .24); transition: transform .15s ease-out;
  -webkit-tap-highlight-color: transparent;
}
.launcher:hover { transform: scale(1.05); }
.launcher:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; box-shadow: 0 0 0 3px #fff; }
.launcher svg { width: 28px; height: 28px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.launcher b { font: 600 15px/20px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.badge {
  position: absolute; top: -4px; right: -4px; min-width: 22px; height: 22px; padding: 0 6px; box-sizing: border-box;
  border-radius: 11px; background: #c92a2a; color: #fff; border: 2px solid #fff;
  font: 600 12px/18px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; text-align: center;
}
.peek {
  position: fixed; z-index: 2147483000; box-sizing: border-box; display: flex; align-items: flex-start;
  right: calc(20px + env(safe-area-inset-right)); bottom: calc(88px + env(safe-area-inset-bottom));
  max-width: min(300px, calc(100vw - 40px)); border-radius: 14px 14px 4px 14px; background: #fff; color: #334155;
  box-shadow: 0 0 0 1px rgb(15 23 42 / .08), 0 6px 20px rgb(15 23 42 / .2); animation: rise .16s ease-out;
  font: 400 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.left .peek { border-radius: 14px 14px 14px 4px; }
.peek button { font: inherit; color: inherit; background: none; border: 0; cursor: pointer; }
.peek button:first-child { display: flex; gap: 10px; padding: 10px 0 10px 12px; text-align: left; min-width: 0; }
.peek button div { min-width: 0; }
.peek i {
  flex: none; width: 32px; height: 32px; border-radius: 50%; background: var(--accent); color: var(--on-accent);
  font: 600 14px/32px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; text-align: center;
}
.peek button:last-child { width: 40px; height: 40px; font-size: 18px; flex: none; }
.peek button:focus-visible { outline: 3px solid var(--accent); border-radius: 12px; }
.peek strong { display: block; font-weight: 600; }
.peek span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 5; overflow: hidden; overflow-wrap: anywhere; }
[hidden] { display: none; }
.panel {
  right: calc(20px + env(safe-area-inset-right)); bottom: calc(88px + env(safe-area-inset-bottom));
  width: min(400px, calc(100vw - 40px)); height: min(680px, calc(100vh - 108px));
  border-radius: 14px; overflow: hidden; background: #fff; color: #334155;
  box-shadow: 0 0 0 1px rgb(15 23 42 / .08), 0 12px 40px rgb(15 23 42 / .2);
  animation: rise .16s ease-out; color-scheme: light dark;
}
.left .launcher, .left .panel, .left .peek { right: auto; left: calc(20px + env(safe-area-inset-left)); }
iframe { position: absolute; inset: 0; display: block; width: 100%; height: 100%; border: 0; color-scheme: light dark; }
.waiting::before { content: ""; display: block; height: 64px; background: var(--accent); }
.waiting iframe { visibility: hidden; }
.notice {
  position: absolute; inset: 0; display: none; flex-direction: column; align-items: center; justify-content: center;
  gap: 12px; padding: 24px; text-align: center; font: 400 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.failed .notice { display: flex; }
.notice button {
  font: inherit; font-weight: 600; min-height: 40px; padding: 0 16px; border-radius: 6px; cursor: pointer;
  border: 1px solid currentColor; background: transparent; color: inherit;
}
.full .panel, .left.full .panel { inset: 0; width: 100vw; height: 100vh; border-radius: 0; box-shadow: none; animation: none; }
.full .launcher { display: none; }
@media ${PHONE_QUERY} {
  .panel, .left .panel { inset: 0; width: 100vw; height: 100vh; border-radius: 0; box-shadow: none; }
  @supports (height: 100dvh) { .panel, .left .panel { height: 100dvh; } }
  .open .launcher { display: none; }
}
@media (prefers-color-scheme: dark) { .panel, .peek { background: #0f1720; color: #cbd5e1; } }
@media (prefers-reduced-motion: reduce) { .panel, .peek { animation: none; } .launcher { transition: none; } }
@media print { .launcher, .panel, .peek { display: none; } }
@keyframes rise { from { opacity: 0; transform: translateY(8px); } }
`
