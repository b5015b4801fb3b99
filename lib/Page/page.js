// The page shows everything without this; it adds keys, the choice of a theme, and the
// instructions of a line lit up where one goes to them.
(function () {
  "use strict";
  const root = document.documentElement;
  const decided = Array.from(document.querySelectorAll(".source details"));

  function remembered() {
    try { return localStorage.getItem("tile-page-theme"); } catch { return null; }
  }
  function remember(theme) {
    try { localStorage.setItem("tile-page-theme", theme); } catch { /* a file */ }
  }
  function isDark() {
    return root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  function switchTheme() {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
  }

  function lightUp(kernel, line) {
    for (const lit of document.querySelectorAll(".ptx .on"))
      lit.classList.remove("on");
    const place = kernel === null ? null : document.getElementById("k" + kernel);
    if (place)
      for (const row of place.querySelectorAll('[data-line="' + line + '"]'))
        row.classList.add("on");
  }
  function follow() {
    const ptx = /^#k(\d+)-(\d+)$/.exec(location.hash);
    lightUp(ptx ? ptx[1] : null, ptx ? ptx[2] : 0);
    const line = /^#L\d+$/.test(location.hash)
      ? document.getElementById(location.hash.slice(1)) : null;
    if (line && line.tagName === "DETAILS") line.open = true;
  }

  function step(by) {
    const here = document.activeElement && document.activeElement.closest("details");
    let next = decided.indexOf(here) + by;
    if (!here) {
      // From what is on the screen, not from the begin of the page.
      const below = decided.findIndex((d) => d.getBoundingClientRect().top > 60);
      next = by > 0 ? below : (below < 0 ? decided.length : below) - 1;
    }
    const target = decided[next];
    if (!target) return;
    target.firstElementChild.focus();
    target.scrollIntoView({ block: "nearest" });
  }
  function toggleAll() {
    const open = !decided.every((d) => d.open);
    for (const d of decided) d.open = open;
  }

  const keys = { j: () => step(1), k: () => step(-1), e: toggleAll, t: switchTheme };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  const theme = remembered();
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", switchTheme);
  window.addEventListener("hashchange", follow);
  follow();
})();
