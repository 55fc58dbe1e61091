// Runs before the first paint: the stored theme, the chart library on its way, and a plain word where the dashboard cannot run. Everything
// else is the application's.
(function () {
  try {
    var theme = localStorage.getItem("kemscope-theme");
    if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
  } catch (_) {
    // Storage can be forbidden; the system's theme is then used.
  }
  function say(text) {
    var place = document.getElementById("boot-text");
    if (!place && document.body) {
      // The dashboard has started and taken this page's own words away.
      place = document.getElementById("stopped");
      if (!place) {
        place = document.createElement("p");
        place.id = "stopped";
        place.className = "notice bad";
        document.body.insertBefore(place, document.body.firstChild);
      }
    }
    if (place) {
      place.setAttribute("role", "alert");
      place.textContent = text;
    }
  }
  if (typeof WebAssembly !== "object") {
    document.addEventListener("DOMContentLoaded", function () {
      say("This browser does not run WebAssembly, which KEMscope needs. Any current Firefox, Chrome, Edge or Safari does.");
    });
    return;
  }
  // The chart library comes while the program starts and fetches its data, not after that. The page names it in its head.
  window.addEventListener("load", function () {
    var name = document.querySelector("meta[name=kemscope-charts]");
    if (!name || /\/(families|systems)\/(index\.html)?$/.test(location.pathname)) return;
    var link = document.createElement("link");
    link.rel = "preload";
    link.as = "script";
    link.fetchPriority = "low";
    link.href = name.content;
    document.head.appendChild(link);
  });
  function failed(event) {
    var started = !document.getElementById("boot");
    // Of files, only those of the start matter here: the application says itself what else did not come.
    var file = event.target && event.target !== window;
    if (file && (started || event.target.rel === "preload")) return;
    if (!started) {
      say("The dashboard could not be started: a file did not arrive or is damaged. Check the connection and reload the page.");
      return;
    }
    // A failure of the program itself, not of the browser's extensions or of a refused request.
    var error = event.reason || event.error;
    if (typeof WebAssembly.RuntimeError === "function" && error instanceof WebAssembly.RuntimeError) {
      say("The dashboard has stopped because of an error in its program. What is on screen may be out of date; reload the page.");
    }
  }
  window.addEventListener("unhandledrejection", failed);
  window.addEventListener("error", failed, true);
})();
