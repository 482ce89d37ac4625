// An address inside a fold opens it, and paper shows what is folded.
document.addEventListener("DOMContentLoaded", () => {
  function follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (target?.closest("details")) target.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", () => document.querySelectorAll("details.fold").forEach(fold => { fold.open = true; }));
  follow();
});
